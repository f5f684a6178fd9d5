// Tema: el del sistema, o el que se elija. Se recuerda en este navegador.
(function () {
  const root = document.documentElement;
  const button = document.querySelector('.tema');
  const themes = ['', 'claro', 'oscuro'];
  const show = () => {
    const now = root.dataset.tema || '';
    button.innerHTML = { '': '◐<span> Sistema</span>', claro: '○<span> Claro</span>',
      oscuro: '●<span> Oscuro</span>' }[now];
    button.setAttribute('aria-label', 'Tema: ' + (now || 'el del sistema') + '. Cambiar');
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const next = themes[(themes.indexOf(root.dataset.tema || '') + 1) % themes.length];
    if (next) root.dataset.tema = next; else delete root.dataset.tema;
    try {
      if (next) localStorage.setItem('tema', next); else localStorage.removeItem('tema');
    } catch (e) { /* sin almacén, la elección dura lo que la página */ }
    show();
  });
  show();
})();
