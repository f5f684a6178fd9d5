// links.js FOLDER: every internal link, image, script and style of the woven
// pages leads somewhere, no id is repeated, and nothing is asked of another host.
const fs = require('fs');
const path = require('path');

const root = process.argv[2] || 'docs';
const under = (folder) => fs.readdirSync(path.join(root, folder), { withFileTypes: true })
  .flatMap((f) => (f.isDirectory() ? under(path.join(folder, f.name)) : path.join(folder, f.name)));
const pages = under('').filter((f) => f.endsWith('.html'));
const text = (s) => s.replace(/&amp;/g, '&').replace(/&quot;/g, '"').replace(/&#39;/g, "'");
const html = new Map();
const ids = new Map();
const faults = [];

for (const page of pages) {
  const source = fs.readFileSync(path.join(root, page), 'utf8').replace(/<script>[^]*?<\/script>/g, '');
  html.set(page, source);
  const seen = new Set();
  for (const [, quoted, bare] of source.matchAll(/<[a-z][^>]*\sid=(?:"([^"]*)"|([^\s>"]+))/g)) {
    const id = quoted || bare;
    if (seen.has(id)) faults.push(`${page}: la etiqueta «${id}» está dos veces`);
    seen.add(id);
  }
  ids.set(page, seen);
}

let links = 0;
for (const [page, source] of html) {
  for (const [, tag, name, quoted, bare] of
    source.matchAll(/<([a-z]+)[^>]*?\s(href|src)=(?:"([^"]*)"|([^\s>"]+))/g)) {
    const target = text(bare || quoted);
    links++;
    if (/^(https?:)?\/\//.test(target)) {
      if (tag !== 'a') faults.push(`${page}: <${tag}> pide ${target}`);
      continue;
    }
    if (/^(mailto|data):/.test(target)) continue;
    const [file, id] = target.split('#');
    const where = file ? path.join(path.dirname(page), file) : page;
    if (!fs.existsSync(path.join(root, where))) {
      faults.push(`${page}: ${name}="${target}": no existe ${where}`);
    } else if (id && ids.has(where) && !ids.get(where).has(decodeURIComponent(id))) {
      faults.push(`${page}: ${name}="${target}": ${where} no tiene esa etiqueta`);
    }
  }
  for (const [image] of source.matchAll(/<img\b[^>]*>/g)) {
    if (!/\salt="[^"]+"/.test(image)) faults.push(`${page}: imagen sin descripción: ${image}`);
  }
}

for (const fault of faults) console.error(fault);
console.log(`${pages.length} páginas, ${links} enlaces, ${faults.length} fallos`);
process.exit(faults.length || !pages.length ? 1 : 0);
