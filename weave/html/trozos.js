// Trozos: copiarlos como texto que compila y desplegarlos donde se usan. El
// código de otras páginas llega de trozos/PÁGINA.js cuando hace falta.
window.TROZOS = {};
(function () {
  const here = document.body.dataset.pagina;
  const say = (text) => { document.getElementById('aviso').textContent = text; };
  const pieces = {};
  window.TROZOS[here] = pieces;
  for (const chunk of document.querySelectorAll('.trozo')) {
    const code = chunk.querySelector('pre code');
    if (code) pieces[chunk.id] = code.innerHTML;
  }

  const waiting = {};
  const page = (name) => {
    if (window.TROZOS[name]) return Promise.resolve(window.TROZOS[name]);
    waiting[name] = waiting[name] || new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = 'trozos/' + name + '.js';
      script.onload = () => resolve(window.TROZOS[name]);
      script.onerror = () => reject(new Error('falta trozos/' + name + '.js'));
      document.head.append(script);
    });
    return waiting[name];
  };

  // href de ⟨uso⟩ -> [página, id]; y el código de un trozo, con sus añadidos
  const place = (href, from) => {
    const [file, id] = href.split('#');
    return [file ? file.replace(/\.html$/, '') : from, decodeURIComponent(id)];
  };
  const source = (name, id) => page(name).then((all) => {
    const parts = [all[id]];
    for (let n = 2; all[id + ':' + n] !== undefined; n++) parts.push(all[id + ':' + n]);
    return parts.join('\n');
  });
  const parse = (html) => {
    const template = document.createElement('template');
    template.innerHTML = html;
    return template.content;
  };
  const column = (text) => text.length - (text.lastIndexOf('\n') + 1);

  // El texto con cada ⟨uso⟩ sustituido, y la sangría que pone notangle
  const text = async (name, html) => {
    let out = '';
    const walk = async (node) => {
      for (const child of [...node.childNodes]) {
        if (child.nodeType === Node.TEXT_NODE) out += child.data;
        else if (child.matches('a.uso')) {
          const [p, id] = place(child.getAttribute('href'), name);
          const indent = ' '.repeat(column(out));
          const inner = await text(p, await source(p, id));
          out += inner.replace(/\n(?=[^\n])/g, '\n' + indent);
        } else await walk(child);
      }
    };
    await walk(parse(html));
    return out;
  };

  const copy = async (content) => {
    try { await navigator.clipboard.writeText(content); } catch (e) {
      const area = document.createElement('textarea');
      area.value = content;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
  };
  const copier = (get) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copiar';
    button.addEventListener('click', async () => {
      const content = await get();
      await copy(content);
      button.textContent = 'Copiado';
      say('Copiado: ' + content.split('\n').length + ' líneas');
      setTimeout(() => { button.textContent = 'Copiar'; }, 1600);
    });
    return button;
  };

  // --- desplegar en su sitio ---------------------------------------------------
  const open = async (button) => {
    const link = button.nextElementSibling;
    const [p, id] = place(link.getAttribute('href'), button.dataset.pagina);
    const box = document.createElement('span');
    box.className = 'dentro';
    box.append(parse(await source(p, id)));
    if (button.getAttribute('aria-expanded') === 'true') return;
    const next = link.nextSibling;       // el salto de línea lo da ya el bloque
    if (next && next.nodeType === Node.TEXT_NODE && next.data[0] === '\n') {
      next.data = next.data.slice(1);
      box.dataset.salto = '1';
    }
    link.after(box);
    button.textContent = '−';
    button.setAttribute('aria-expanded', 'true');
    buttons(box, p);
  };
  const shut = (button) => {
    const box = button.nextElementSibling.nextElementSibling;
    if (!box || !box.classList.contains('dentro')) return;
    if (box.dataset.salto) box.after('\n');
    const parent = box.parentNode;
    box.remove();
    parent.normalize();
    button.textContent = '+';
    button.setAttribute('aria-expanded', 'false');
  };
  const isOpen = (button) => button.getAttribute('aria-expanded') === 'true';
  function buttons(code, name) {
    for (const link of code.querySelectorAll('a.uso')) {
      if (link.closest('.dentro') !== code.closest('.dentro')) continue;
      const href = link.getAttribute('href');
      if (href[0] === '#' && name !== here) link.href = name + '.html' + href;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'abre';
      button.textContent = '+';
      button.dataset.pagina = name;
      button.setAttribute('aria-expanded', 'false');
      button.setAttribute('aria-label', 'Desplegar ' + link.textContent);
      button.addEventListener('click', () => (isOpen(button) ? shut(button)
        : open(button).catch((e) => say('No se pudo desplegar: ' + e.message))));
      link.before(button);
    }
  }
  const openAll = async (code) => {
    for (let rest; (rest = [...code.querySelectorAll('.abre[aria-expanded="false"]')]).length;) {
      for (const button of rest) await open(button);
    }
  };
  const shutAll = (code) => {
    [...code.querySelectorAll('.abre[aria-expanded="true"]')].reverse().forEach(shut);
  };

  for (const chunk of document.querySelectorAll('.trozo')) {
    const code = chunk.querySelector('pre code');
    if (!code) continue;
    const bar = document.createElement('span');
    bar.className = 'botones';
    buttons(code, here);
    if (code.querySelector('a.uso')) {
      const all = document.createElement('button');
      all.type = 'button';
      const label = chunk.dataset.archivo ? 'Ver el programa entero' : 'Desplegar todo';
      all.textContent = label;
      all.setAttribute('aria-expanded', 'false');
      all.addEventListener('click', async () => {
        if (all.getAttribute('aria-expanded') === 'true') {
          shutAll(code);
          all.textContent = label;
          all.setAttribute('aria-expanded', 'false');
        } else {
          await openAll(code);
          all.textContent = 'Plegar';
          all.setAttribute('aria-expanded', 'true');
        }
      });
      bar.append(all);
    }
    bar.append(copier(() => text(here, pieces[chunk.id]).then((t) => t + '\n')));
    chunk.querySelector('.cabeza').append(bar);
  }
  // Órdenes y ejemplos sueltos: sin el «$ » del terminal
  for (const block of document.querySelectorAll('main > pre, .ejercicio pre, li > pre')) {
    if (block.closest('.trozo, .salida')) continue;
    const box = document.createElement('div');
    box.className = 'suelto';
    block.before(box);
    box.append(block, copier(async () => block.textContent.replace(/^\$ /gm, '').replace(/\n*$/, '\n')));
  }
})();
