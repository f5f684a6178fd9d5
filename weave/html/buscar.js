// Búsqueda en todo el libro, sin acentos ni mayúsculas. pagina.js trae este guión al
// entrar en la caja, y este el índice, que es otro .js: así funciona abierto desde
// una carpeta.
(function () {
  const form = document.querySelector('.buscar');
  const input = form.querySelector('input');
  const panel = form.querySelector('.hallado');
  const LIMIT = 20;
  let entries;                     // [página, id, título, texto, título y texto plegados]

  const fold = (text) => {
    const folded = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    if (folded.length === text.length) return folded;
    return Array.from(text, (c) => {          // misma longitud, para poder citar
      const f = c.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      return f.length === c.length ? f : c;
    }).join('');
  };

  const load = () => {
    load.promise = load.promise || new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = 'busqueda.js';
      script.onload = () => {
        entries = window.BUSQUEDA.map((e) => [...e, fold(e[2]), fold(e[3])]);
        resolve();
      };
      script.onerror = reject;
      document.head.append(script);
    });
    return load.promise;
  };

  const wordChar = /[\p{L}\p{N}_]/u;
  const count = (text, term) => {
    let score = 0;
    for (let i = text.indexOf(term); i >= 0 && score < 40; i = text.indexOf(term, i + 1)) {
      score += i === 0 || !wordChar.test(text[i - 1]) ? 3 : 1;
    }
    return score;
  };

  const find = (query) => {
    const terms = fold(query).split(/\s+/).filter(Boolean);
    if (!terms.length) return [];
    const found = [];
    for (const entry of entries) {
      let score = 0;
      for (const term of terms) {
        const one = 25 * count(entry[4], term) + Math.sqrt(count(entry[5], term)) * 4;
        if (!one) { score = 0; break; }
        score += one;
      }
      if (score) found.push([score, entry]);
    }
    return found.sort((a, b) => b[0] - a[0]).map(([, entry]) => ({ entry, terms }));
  };

  // Texto con las palabras halladas marcadas
  const marked = (text, folded, terms) => {
    const out = document.createDocumentFragment();
    let at = 0;
    while (at < text.length) {
      let next = -1, size = 0;
      for (const term of terms) {
        const i = folded.indexOf(term, at);
        if (i >= 0 && (next < 0 || i < next)) { next = i; size = term.length; }
      }
      if (next < 0) break;
      out.append(text.slice(at, next));
      const mark = document.createElement('mark');
      mark.textContent = text.slice(next, next + size);
      out.append(mark);
      at = next + size;
    }
    out.append(text.slice(at));
    return out;
  };

  const excerpt = (entry, terms) => {
    const [, , , text, , folded] = entry;
    const hits = terms.map((t) => folded.indexOf(t)).filter((i) => i >= 0);
    const middle = hits.length ? Math.min(...hits) : 0;
    let from = Math.max(0, middle - 60);
    if (from) from = text.indexOf(' ', from) + 1;
    let to = Math.min(text.length, from + 170);
    if (to < text.length) to = Math.max(text.lastIndexOf(' ', to), from);
    const out = document.createElement('span');
    out.append(from ? '… ' : '', marked(text.slice(from, to), folded.slice(from, to), terms),
               to < text.length ? ' …' : '');
    return out;
  };

  const show = () => {
    const query = input.value.trim();
    panel.replaceChildren();
    panel.hidden = !query;
    if (!query) return;
    const results = find(query);
    const summary = document.createElement('p');
    summary.setAttribute('role', 'status');
    summary.textContent = !results.length ? `Nada sobre «${query}».`
      : results.length === 1 ? 'Una sección.'
      : results.length > LIMIT ? `${results.length} secciones; se ven ${LIMIT}.`
      : `${results.length} secciones.`;
    const list = document.createElement('ol');
    for (const { entry, terms } of results.slice(0, LIMIT)) {
      const link = document.createElement('a');
      link.href = entry[0] + '.html#' + entry[1];
      const title = document.createElement('b');
      title.append(marked(entry[2], entry[4], terms));
      link.append(title, excerpt(entry, terms));
      const item = document.createElement('li');
      item.append(link);
      list.append(item);
    }
    panel.append(summary, list);
  };

  let closed = false;               // quien vuelve a la caja con Escape no la reabre
  const close = () => { panel.hidden = true; };

  const enter = () => load().then(() => {
    if (input.value && !closed) show();
    closed = false;
  });
  input.addEventListener('focus', enter);
  input.addEventListener('input', () => load().then(show));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    load().then(() => {
      show();
      const first = panel.querySelector('a');
      if (first) { close(); location.href = first.href; }
    });
  });
  form.addEventListener('keydown', (event) => {
    const links = [...panel.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      close();
      closed = document.activeElement !== input;
      input.focus();
    }
    else if (event.key === 'ArrowDown' && links.length) {
      event.preventDefault(); links[Math.min(at + 1, links.length - 1)].focus();
    } else if (event.key === 'ArrowUp' && at >= 0) {
      event.preventDefault(); (links[at - 1] || input).focus();
    }
  });
  panel.addEventListener('click', (event) => { if (event.target.closest('a')) close(); });
  document.addEventListener('click', (event) => { if (!form.contains(event.target)) close(); });
  form.addEventListener('focusout', (event) => {
    if (event.relatedTarget && !form.contains(event.relatedTarget)) close();
  });
  enter();
})();
