// Detalles de la página: el índice de secciones, y qué se alcanza con el tabulador
(function () {
  const sections = document.querySelector('.en-pagina details');
  if (sections) {
    const wide = matchMedia('(min-width: 78rem)');
    const adjust = () => { sections.open = wide.matches; };
    adjust();
    wide.addEventListener('change', adjust);
    // La sección que se está leyendo
    const links = new Map([...sections.querySelectorAll('a')].map((a) => [a.hash.slice(1), a]));
    const heads = [...document.querySelectorAll('main h2[id]')];
    let current;
    const mark = () => {
      let now;
      for (const head of heads) if (head.getBoundingClientRect().top < 140) now = head;
      const link = now && links.get(now.id);
      if (link === current) return;
      if (current) current.removeAttribute('aria-current');
      if (link) link.setAttribute('aria-current', 'true');
      current = link;
    };
    let queued = false;
    addEventListener('scroll', () => {
      if (!queued) { queued = true; requestAnimationFrame(() => { queued = false; mark(); }); }
    }, { passive: true });
    mark();
  }
  const menu = document.querySelector('.menu');
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { menu.open = false; menu.querySelector('summary').focus(); }
  });
  document.addEventListener('click', (event) => { if (!menu.contains(event.target)) menu.open = false; });
  // Lo que no se desplaza no necesita parada del tabulador
  const stops = () => {
    for (const box of document.querySelectorAll('pre, .ancha, .ecuacion, p:has(> math)')) {
      if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute('tabindex');
    }
  };
  // Lo que no usa toda página se trae cuando hace falta
  const bring = (file) => {
    const script = document.createElement('script');
    script.src = file;
    document.head.append(script);
  };
  if (document.getElementById('ejercicio-block')) bring('ejercicio.js');
  const form = document.querySelector('.buscar');
  const box = form.querySelector('input');
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  box.addEventListener('focus', () => bring('buscar.js'), { once: true });
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault(); box.focus(); box.select();
    }
  });
  stops();
  addEventListener('resize', stops);
})();
