// browser.js: the woven site, opened from its folder and used in Chromium: every
// page through axe-core in both themes and at the widths of a phone and of a
// zoom of 400 %, and what a reader does with keyboard, mouse and no JavaScript.
// Speaks TAP. Each check of a page is seen to find its defect in a spoiled one.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync } = require('child_process');

const project = path.resolve(__dirname, '..');
process.chdir(project);
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .find((file) => fs.existsSync(file));
const WEIGHT = 300000;

let playwright, axe;
try {
  playwright = require('playwright-core');
  axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
} catch { /* said below */ }
if (!playwright || !CHROMIUM) {
  console.log('1..1\nok 1 el sitio en un navegador # SKIP ' +
    (CHROMIUM ? 'falta lo de npm: sh scripts/setup.sh' : 'no hay Chromium'));
  process.exit(0);
}

const tests = [];
const test = (name, body) => tests.push({ name, body });
const must = (condition, text) => { if (!condition) throw new Error(text); };
const same = (got, wanted, what) =>
  must(got === wanted, `${what}: esperaba ${JSON.stringify(wanted)} y hay ${JSON.stringify(got)}`);
const none = (faults) => must(!faults.length, faults.slice(0, 12).join('\n') +
  (faults.length > 12 ? `\n… y ${faults.length - 12} más` : ''));

const site = path.resolve(execFileSync('sh', ['tests/site.sh', 'site'],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim());
const pages = fs.readdirSync(site).filter((f) => f.endsWith('.html')).sort();
pages.push('codigo/ch04.c.html', 'codigo/paper/watch.c.html');    // of 28 alike
const at = (page) => 'file://' + path.join(site, page);
const chapters = pages.filter((f) => /^[0-9A-Z]+-/.test(f));

// --- what is asked of every page -------------------------------------------------
// Requests, console and errors, from the moment that the page is made
function watch(page) {
  const seen = [];
  page.on('request', (r) => {
    if (!/^(file|data|blob):/.test(r.url())) seen.push('pide ' + r.url());
  });
  page.on('requestfailed', (r) => seen.push('no llega ' + r.url()));
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type())) seen.push('consola: ' + m.text());
  });
  page.on('pageerror', (e) => seen.push('error: ' + e.message));
  return seen;
}

const RULES = { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa',
  'wcag22aa', 'best-practice'] }, rules: { 'color-contrast': { enabled: false },
  'link-in-text-block': { enabled: false } } };
const COLOR = { runOnly: ['color-contrast', 'link-in-text-block'] };

// axe-core's rules. Those of colour look at three elements of each kind: the
// words of code are thousands, and alike in what contrast depends on
async function axeFinds(page, rules) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe);
  const found = await page.evaluate((rules) => {
    let context = document;
    if (Array.isArray(rules.runOnly)) {
      const background = (el) => {
        for (; el; el = el.parentElement) {
          const color = getComputedStyle(el).backgroundColor;
          if (color !== 'rgba(0, 0, 0, 0)') return color;
        }
        return '';
      };
      const kinds = new Map();
      for (const el of document.querySelectorAll('body *')) {
        if (![...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
        const style = getComputedStyle(el);
        const kind = [el.localName, el.parentElement.localName, style.color, background(el), style.fontSize,
          style.fontWeight, style.textDecorationLine, style.opacity].join();
        const list = kinds.get(kind) || [];
        if (list.length < 3) list.push(el);
        kinds.set(kind, list);
      }
      context = { include: [...kinds.values()].flat() };
    }
    return window.axe.run(context, { ...rules, preload: false, resultTypes: ['violations'] });
  }, rules);
  return found.violations.map((v) => `${v.id}: ${v.help}: ` + v.nodes.slice(0, 3)
    .map((n) => n.target.join(' ')).join(' · ') + (v.nodes.length > 3 ? ` (${v.nodes.length})` : ''));
}

// Nothing makes the page scroll sideways; what is wide scrolls in its own box,
// which the keyboard reaches
async function narrow(page, width) {
  await page.setViewportSize({ width, height: 740 });
  await page.waitForTimeout(30);            // a resize, and the page's answer
  return page.evaluate((width) => {
    const out = [];
    const wide = document.documentElement.scrollWidth;
    if (wide > width) {
      out.push(`la página mide ${wide} y la pantalla ${width}`);
      for (const el of document.querySelectorAll('main *')) {
        if (out.length > 4) break;
        const box = el.getBoundingClientRect();
        if (box.right <= width + 1 || box.width === 0) continue;
        let inside = el.parentElement;
        while (inside && getComputedStyle(inside).overflowX === 'visible') inside = inside.parentElement;
        if (!inside || inside === document.body || inside === document.documentElement) {
          out.push(`se sale <${el.localName} class="${el.className}"> ${el.textContent.trim().slice(0, 40)}`);
        }
      }
    }
    for (const box of document.querySelectorAll('pre, .ancha, .ecuacion, p')) {
      if (box.scrollWidth <= box.clientWidth + 1) continue;
      if (!['auto', 'scroll'].includes(getComputedStyle(box).overflowX)) continue;
      if (box.tabIndex < 0) out.push(`<${box.localName}> se desplaza y el teclado no llega: ${box.textContent.trim().slice(0, 40)}`);
    }
    return out;
  }, width);
}

const weight = (folder, page) => [page, 'libro.css', 'libro.js']
  .map((f) => fs.statSync(path.join(folder, f)).size).reduce((a, b) => a + b);

const still = (page) => page.evaluate(() => {
  const out = [];
  if (document.getAnimations().length) out.push('hay animaciones');
  if (getComputedStyle(document.documentElement).scrollBehavior !== 'auto') out.push('el desplazamiento es suave');
  for (const el of document.querySelectorAll('body *')) {
    const style = getComputedStyle(el);
    if (style.transitionDuration.split(', ').some((t) => parseFloat(t) > 0)) {
      out.push('transición en ' + el.className); break;
    }
  }
  return out;
});

// What has the focus now: its text, whether it is seen, and whether it shows it
const focus = (page) => page.evaluate(() => {
  const el = document.activeElement;
  if (!el || el === document.body) return null;
  const box = el.getClientRects()[0] || el.getBoundingClientRect();
  const x = Math.min(Math.max(box.x + Math.min(box.width, 40) / 2, 0), innerWidth - 1);
  const top = document.elementFromPoint(x, box.y + Math.min(box.height, 40) / 2);
  const style = getComputedStyle(el);
  return {
    tag: el.localName, id: el.id, name: (el.getAttribute('aria-label') || el.textContent).trim().slice(0, 40),
    className: el.className, href: el.getAttribute('href'),
    seen: !!top && el.contains(top),
    marked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
  };
});

// Walks with the tabulator: each stop is in sight and says so
async function tabs(page, limit, stop) {
  const out = [];
  for (let i = 0; i < limit; i++) {
    await page.keyboard.press('Tab');
    const now = await focus(page);
    if (!now) continue;
    if (!now.seen) out.push(`tapado: <${now.tag}> ${now.name}`);
    if (!now.marked && now.id !== 'texto') out.push(`sin señal de foco: <${now.tag}> ${now.name}`);
    if (stop && stop(now)) return out;
  }
  if (stop) out.push('el tabulador no llega');
  return out;
}

// --- a browser for all of it --------------------------------------------------------
let browser;
async function opened(options, body) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addInitScript(() => {
    // what would go to the clipboard is kept, to be read
    if (navigator.clipboard) navigator.clipboard.writeText = async (t) => { window.copied = t; };
  });
  try {
    const page = await context.newPage();
    page.seen = watch(page);
    return await body(page, context);
  } finally {
    await context.close();
  }
}
const STILL = { reducedMotion: 'reduce' };
const dark = (page) => page.evaluate(() => {
  const [r, g, b] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number);
  return r + g + b < 200;
});

// Every page is loaded once and looked at in all these ways
const findings = { ask: [], light: [], dark: [], 360: [], 320: [], weight: [], still: [] };
async function lookAtAll() {
  await opened(STILL, async (page) => {
    for (const name of pages) {
      const say = (key, list) => findings[key].push(...list.map((f) => `${name}: ${f}`));
      page.seen.length = 0;
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(at(name));
      say('light', [...await axeFinds(page, RULES), ...await axeFinds(page, COLOR)]);
      say('still', await still(page));
      await page.evaluate(() => { document.documentElement.dataset.tema = 'oscuro'; });
      say('dark', await axeFinds(page, COLOR));
      say('360', await narrow(page, 360));
      say('320', await narrow(page, 320));
      say('ask', page.seen);
      const bytes = weight(site, name);
      if (bytes >= WEIGHT) say('weight', [`pesa ${bytes} sin figuras`]);
    }
  });
}

test('axe-core no encuentra nada en ninguna página, tema claro', async () => {
  await lookAtAll();
  must(pages.length > 15, 'faltan páginas');
  none(findings.light);
});
test('ni en el tema oscuro', () => none(findings.dark));
test('ninguna página pide nada fuera, ni se queja en la consola', () => none(findings.ask));
test('en un teléfono de 360 píxeles nada obliga a desplazar la página', () => none(findings['360']));
test('con zoom de 400 % (320 píxeles) tampoco', () => none(findings['320']));
test('con movimiento reducido nada se mueve', () => none(findings.still));
test(`cada página pesa menos de ${WEIGHT / 1000} kB sin figuras`, () => none(findings.weight));

// --- each of those, seen to find a defect ---------------------------------------------
const spoiled = [
  ['light', 'una imagen sin descripción', '</h1>', '</h1><img src="figures/x.svg">', 'image-alt'],
  ['light', 'un color que no contrasta', '</h1>', '</h1><p style="color:#bbb">gris sobre papel</p>', 'color-contrast'],
  ['dark', 'un color que sólo falla en oscuro', '</h1>', '</h1><p style="color:#444">gris sobre negro</p>', 'color-contrast'],
  ['ask', 'una letra de otro servidor', '</head>', '<link rel="stylesheet" href="https://example.invalid/a.css"></head>', 'pide https://example.invalid'],
  ['ask', 'un error en la consola', '</body>', '<script>nada.aqui()</script></body>', 'nada is not defined'],
  ['360', 'algo más ancho que el teléfono', '</h1>', '</h1><p style="width:400px">ancho</p>', 'la página mide'],
  ['320', 'algo más ancho que 320 píxeles', '</h1>', '</h1><p style="width:330px">ancho</p>', 'la página mide'],
  ['still', 'una transición', '</h1>', '</h1><p style="transition:color 1s">lenta</p>', 'transición'],
  ['weight', 'una página pesada', '</h1>', '</h1><!--' + 'x'.repeat(WEIGHT) + '-->', 'pesa'],
];
test('esos exámenes ven cada defecto en una página estropeada', () => withFolder(async (folder) => {
  const name = 'B-trouble.html';
  const source = fs.readFileSync(path.join(site, name), 'utf8');
  await opened({}, async (page) => {
    for (const [kind, what, from, to, says] of spoiled) {
      fs.writeFileSync(path.join(folder, name), source.replace(from, to));
      page.seen.length = 0;
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto('file://' + path.join(folder, name));
      if (kind === 'dark') await page.evaluate(() => { document.documentElement.dataset.tema = 'oscuro'; });
      const bytes = weight(folder, name);
      const found = kind === 'light' ? [...await axeFinds(page, RULES), ...await axeFinds(page, COLOR)] : kind === 'dark' ? await axeFinds(page, COLOR)
        : kind === 'ask' ? page.seen : kind === 'still' ? await still(page)
        : kind === 'weight' ? (bytes >= WEIGHT ? ['pesa ' + bytes] : []) : await narrow(page, Number(kind));
      must(found.some((f) => f.includes(says)), `no ve ${what}: ${found}`);
    }
    // in light, what fails only in the dark is well
    fs.writeFileSync(path.join(folder, name), source.replace(spoiled[2][2], spoiled[2][3]));
    await page.goto('file://' + path.join(folder, name));
    none(await axeFinds(page, COLOR));
  });
}));

async function withFolder(body) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
  try {
    for (const file of ['libro.css', 'libro.js', 'ejercicio.js', 'buscar.js', 'busqueda.js', 'trozos', 'figures']) {
      fs.symlinkSync(path.join(site, file), path.join(folder, file));
    }
    await body(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// --- search ------------------------------------------------------------------------------
async function hits(page, text) {
  await page.fill('#buscar', text);
  await page.waitForFunction((t) => document.querySelector('.hallado p') &&
    document.querySelector('#buscar').value === t, text);
  return page.$$eval('.hallado a', (list) => list.map((a) => a.getAttribute('href')));
}
test('la búsqueda no distingue acentos ni mayúsculas, y lleva a su sección', () => opened({}, async (page) => {
  await page.goto(at('index.html'));
  const plain = await hits(page, 'reduccion');
  must(plain.length > 3, 'encuentra poco: ' + plain);
  for (const other of ['reducción', 'REDUCCIÓN', 'Reduccion']) {
    same((await hits(page, other)).join(), plain.join(), other);
  }
  must((await hits(page, 'épsilon')).length > 0, 'no encuentra épsilon');
  same((await hits(page, 'zzqx')).length, 0, 'lo que no está');
  must((await page.textContent('.hallado')).includes('Nada sobre «zzqx»'), 'no dice que no hay nada');
  const [first] = await hits(page, 'oráculo');
  await page.click('.hallado a');
  await page.waitForLoadState();
  must(page.url().endsWith(first), `${page.url()} no es ${first}`);
  const target = await page.$(':target');
  must(target && (await target.isVisible()), 'la sección no está a la vista');
  none(page.seen);
}));

// --- theme ---------------------------------------------------------------------------------
test('el tema es el del sistema, o el que se elige, y se recuerda', async () => {
  await opened({ colorScheme: 'light' }, async (page) => {
    await page.goto(at('01-formula.html'));
    same(await dark(page), false, 'sistema claro');
    await page.emulateMedia({ colorScheme: 'dark' });
    same(await dark(page), true, 'sistema oscuro');
  });
  await opened({ colorScheme: 'dark' }, async (page) => {
    await page.goto(at('01-formula.html'));
    await page.click('.tema');
    same(await dark(page), false, 'elegido el claro');
    await page.goto(at('02-guards.html'));
    same(await dark(page), false, 'en otra página');
    await page.click('.tema');
    await page.emulateMedia({ colorScheme: 'light' });
    same(await dark(page), true, 'elegido el oscuro');
    await page.click('.tema');
    same(await dark(page), false, 'otra vez el del sistema');
    // a figure follows the choice, not only the system
    none(page.seen);
  });
});

// --- expand and copy -------------------------------------------------------------------------
const CHUNK = '.trozo[data-archivo="ch01.c"]';
test('un trozo usado se despliega en su sitio, y se pliega', () => opened({}, async (page) => {
  await page.goto(at('01-formula.html'));
  const code = page.locator(`${CHUNK} pre code`);
  const before = await code.innerText();
  const button = code.locator('button.abre').first();
  same(await button.getAttribute('aria-expanded'), 'false', 'aria-expanded');
  await button.click();
  await code.locator('.dentro').first().waitFor();
  same(await button.getAttribute('aria-expanded'), 'true', 'aria-expanded');
  must((await code.innerText()).length > before.length + 20, 'no creció');
  await button.click();
  same(await code.locator('.dentro').count(), 0, 'desplegados');
  same(await code.innerText(), before, 'el código, plegado');
}));

test('«Ver el programa entero» despliega todo, también lo de otros capítulos', () => opened({}, async (page) => {
  await page.goto(at('04-forward.html'));
  const chunk = page.locator('.trozo[data-archivo="ch04.c"]');
  await chunk.getByRole('button', { name: 'Ver el programa entero' }).click();
  await chunk.getByRole('button', { name: 'Plegar', exact: true }).waitFor();
  same(await chunk.locator('.abre[aria-expanded="false"]').count(), 0, 'sin desplegar');
  must((await chunk.locator('.dentro').count()) > 20, 'despliega poco');
  none(page.seen);
}));

// The page's copy of PROGRAM, and what is wrong with it
async function copied(page, root) {
  const chunk = page.locator(`.trozo[data-archivo="${root}"]`).first();
  await page.evaluate(() => { window.copied = undefined; });
  await chunk.locator('.botones button').last().click();
  await page.waitForFunction(() => window.copied !== undefined);
  const text = await page.evaluate(() => window.copied);
  const file = fs.readFileSync(path.join('tangled', root), 'utf8');
  return text === file ? [] : [`lo copiado de ⟨${root}⟩ no es tangled/${root}`];
}
test('copiar un programa da, byte a byte, el archivo que compila', async () => {
  const faults = [];
  let count = 0;
  await opened({}, async (page) => {
    for (const name of chapters) {
      const source = fs.readFileSync(path.join(site, name), 'utf8');
      const roots = [...source.matchAll(/data-archivo="([^"]+)"/g)].map((m) => m[1]);
      if (!roots.length) continue;
      await page.goto(at(name));
      for (const root of new Set(roots)) { count++; faults.push(...await copied(page, root)); }
    }
  });
  must(count > 15, `sólo ${count} programas`);
  none(faults);
});
test('copiar ve un resto que no es código, y el botón avisa de que copió', () => withFolder(async (folder) => {
  const source = fs.readFileSync(path.join(site, '01-formula.html'), 'utf8');
  fs.writeFileSync(path.join(folder, '01-formula.html'), source.replace(
    /(data-archivo="ch01\.c"[^]*?<code[^>]*>)/, '$1<span class="oculto">resto</span>'));
  await opened({}, async (page) => {
    await page.goto('file://' + path.join(folder, '01-formula.html'));
    same((await copied(page, 'ch01.c')).length, 1, 'defectos vistos');
    same(await page.locator(`${CHUNK} .botones button`).last().innerText(), 'Copiado', 'el botón');
    must((await page.textContent('#aviso')).startsWith('Copiado: '), 'no lo dice en voz alta');
  });
}));

// --- the exercise ------------------------------------------------------------------------------
test('el ejercicio pide la predicción antes, y calcula con el C del capítulo', () => opened({}, async (page) => {
  await page.goto(at('09-exercise.html'));
  const box = page.locator('#ejercicio-block');
  const run = box.getByRole('button', { name: 'Calcular' });
  await run.click();
  must((await box.getByRole('alert').innerText()).includes('Escriba primero su predicción'), 'no la pide');
  must(!(await box.innerText()).includes('Cada elemento'), 'enseña el resultado sin predicción');
  await box.locator('#ej-p').fill('1');
  await run.click();
  // 257 ones over 512: 1 / sqrt(257 / 512 + 1e-6)
  must((await box.locator('div[role=status]').innerText()).includes('1.411'), 'el resultado no es 1.411…');
  await box.getByLabel('N', { exact: true }).check();
  await box.locator('#ej-p').fill('1');
  await run.click();
  must((await box.locator('div[role=status]').innerText()).includes('acertó'), 'con N no sale 1');
  await box.locator('#ej-n').fill('5000');
  await box.locator('#ej-p').fill('1');
  await run.click();
  must((await box.getByRole('alert').innerText()).includes('entre 1 y 4096'), 'acepta N = 5000');
  none(page.seen);
}));

// --- keyboard -------------------------------------------------------------------------------------
test('con el teclado se salta al texto, se llega al contenido y se cambia de página', () => opened(STILL, async (page) => {
  await page.goto(at('01-formula.html'));
  await page.keyboard.press('Tab');
  same((await focus(page)).className, 'saltar', 'primera parada');
  none(await tabs(page, 60, (f) => f.href === '02-guards.html'));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/02-guards.html');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  same((await focus(page)).id, 'texto', 'tras «Saltar al texto»');
  none(await tabs(page, 40));               // each stop in sight, below the bar
}));
test('con el teclado se busca y se abre lo hallado', () => opened(STILL, async (page) => {
  await page.goto(at('index.html'));
  none(await tabs(page, 10, (f) => f.id === 'buscar'));
  await page.keyboard.type('tolerancia');
  await page.waitForSelector('.hallado a');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const second = await page.$$eval('.hallado a', (l) => l.indexOf(document.activeElement));
  same(second, 1, 'la flecha lleva al segundo');
  await page.keyboard.press('Escape');
  same(await page.isVisible('.hallado'), false, 'Escape lo cierra');
  same((await focus(page)).id, 'buscar', 'y vuelve a la caja');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\.html#/);
}));
test('con el teclado se despliega un trozo y se ve una solución', () => opened({}, async (page) => {
  await page.goto(at('01-formula.html'));
  await page.locator(`${CHUNK} button.abre`).first().focus();
  await page.keyboard.press('Enter');
  await page.locator(`${CHUNK} .dentro`).first().waitFor();
  await page.locator('details.plegado summary').first().focus();
  await page.keyboard.press('Space');
  same(await page.locator('details.plegado[open]').count(), 1, 'soluciones abiertas');
}));
test('ese paseo ve un foco que no se señala y uno tapado', () => withFolder(async (folder) => {
  const source = fs.readFileSync(path.join(site, 'B-trouble.html'), 'utf8');
  const file = path.join(folder, 'B-trouble.html');
  await opened(STILL, async (page) => {
    for (const [style, says] of [[':focus-visible{outline:none!important}', 'sin señal'],
      ['.barra{z-index:-1!important}body::after{content:"";position:fixed;inset:0;z-index:99}', 'tapado']]) {
      fs.writeFileSync(file, source.replace('</head>', `<style>${style}</style></head>`));
      await page.goto('file://' + file);
      const found = await tabs(page, 6);
      must(found.some((f) => f.includes(says)), `no ve el defecto «${says}»: ${found}`);
    }
  });
}));

// --- phone ------------------------------------------------------------------------------------------
test('en el teléfono el contenido se abre, se usa y se cierra', () => opened(
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, async (page) => {
    await page.goto(at('03-oracle.html'));
    same(await page.isVisible('nav.contenido'), false, 'la barra lateral');
    await page.tap('.menu summary');
    same(await page.isVisible('.menu nav a'), true, 'el contenido');
    await page.keyboard.press('Escape');
    same(await page.isVisible('.menu nav'), false, 'tras Escape');
    await page.tap('.menu summary');
    await page.tap('.menu nav a[href="04-forward.html"]');
    await page.waitForURL('**/04-forward.html');
    const table = page.locator('.ancha').first();
    must(await table.evaluate((el) => el.getBoundingClientRect().right <= innerWidth), 'la tabla se sale');
    none(page.seen);
  }));

// --- without JavaScript ------------------------------------------------------------------------------
test('sin JavaScript se lee, se navega y se despliegan pistas y soluciones', () => opened(
  { javaScriptEnabled: false, ...STILL }, async (page) => {
    await page.goto(at('01-formula.html'));
    for (const hidden of ['.buscar', '.tema', 'button']) {
      for (const el of await page.locator(hidden).all()) same(await el.isVisible(), false, hidden);
    }
    same(await page.isVisible('nav.contenido a[href="02-guards.html"]'), true, 'el contenido');
    const details = page.locator('details.plegado').first();
    await details.locator('summary').click();
    same(await details.locator('div').first().isVisible(), true, 'la solución');
    const use = page.locator('.trozo a.uso[href^="#"]').first();
    const href = await use.getAttribute('href');
    await use.click();
    must(page.url().endsWith(href), 'el enlace del trozo no lleva a él');
    await page.click('.vecinas [rel="next"]');
    await page.waitForURL('**/02-guards.html');
    await page.goto(at('09-exercise.html'));
    must((await page.innerText('#ejercicio-block')).includes('JavaScript'), 'el ejercicio no dice qué falta');
    none(page.seen);
  }));

// --- paper ------------------------------------------------------------------------------------------
test('impresa, la página es negra sobre blanco y sin controles, también desde el tema oscuro', () => opened({}, async (page) => {
  await page.goto(at('01-formula.html'));
  await page.evaluate(() => { document.documentElement.dataset.tema = 'oscuro'; });
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['.barra', 'nav.contenido', '.vecinas', `${CHUNK} .botones`]) {
    same(await page.locator(hidden).first().isVisible(), false, hidden);
  }
  none(await axeFinds(page, { runOnly: ['color-contrast'] }));
  const wide = await page.evaluate(() => getComputedStyle(document.querySelector('.trozo pre')).whiteSpace);
  same(wide, 'pre-wrap', 'las líneas largas');
}));

// --- runs them --------------------------------------------------------------------------------------
(async () => {
  browser = await playwright.chromium.launch({ executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
  const only = process.argv[2];
  const chosen = tests.filter((t) => !only || t.name.includes(only));
  console.log(`1..${chosen.length}`);
  let failed = 0;
  for (const [i, { name, body }] of chosen.entries()) {
    const start = Date.now();
    try {
      await body();
      console.log(`ok ${i + 1} - ${name}`);
    } catch (error) {
      failed++;
      console.log(`not ok ${i + 1} - ${name}`);
      console.log(String(error.message).replace(/^/gm, '# '));
    }
    if (process.env.TIMES) console.log(`# ${Date.now() - start} ms`);
  }
  await browser.close();
  process.exit(failed ? 1 : 0);
})();
