// El ejercicio del capítulo 9: una predicción y, sólo después, el resultado.
// La fila la calcula el C del capítulo, compilado a WebAssembly.
document.addEventListener('fila', async (event) => {
  const place = document.getElementById('ejercicio-block');
  if (!place || !('WebAssembly' in window)) return;
  const bytes = Uint8Array.from(atob(event.detail), (c) => c.charCodeAt(0));
  let c;
  try { c = (await WebAssembly.instantiate(bytes)).instance.exports; } catch { return; }
  place.innerHTML = `
    <form>
      <p class="fila"><label for="ej-n">Columnas, N</label>
        <input id="ej-n" type="number" min="1" max="4096" step="1" value="257" required inputmode="numeric"></p>
      <p class="fila">BLOCK, la potencia de dos que las cubre: <output id="ej-block" for="ej-n">512</output></p>
      <fieldset><legend>El divisor de la media</legend>
        <label><input type="radio" name="divisor" value="block" checked> BLOCK</label>
        <label><input type="radio" name="divisor" value="n"> N</label></fieldset>
      <p class="fila"><label for="ej-p">Su predicción: cada elemento de la salida de una fila de unos</label>
        <input id="ej-p" type="text" inputmode="decimal" autocomplete="off" size="10" required
          aria-describedby="ej-error"></p>
      <p id="ej-error" role="alert"></p>
      <p><button>Calcular</button></p>
    </form>
    <div role="status"></div>`;
  const [form, result] = place.children;
  const n = form.querySelector('#ej-n'), guess = form.querySelector('#ej-p');
  const error = form.querySelector('#ej-error'), shown = form.querySelector('#ej-block');
  const block = () => { let b = 1; while (b < n.valueAsNumber) b *= 2; return b; };
  const hide = () => { result.textContent = ''; error.textContent = ''; guess.removeAttribute('aria-invalid'); };
  const changed = () => { hide(); guess.value = ''; shown.value = n.validity.valid ? block() : '—'; };
  n.addEventListener('input', changed);
  for (const radio of form.elements.divisor) radio.addEventListener('change', changed);
  guess.addEventListener('input', hide);
  form.noValidate = true;
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    hide();
    const text = guess.value.trim().replace(',', '.');
    const predicted = Number(text);
    if (!n.validity.valid) { error.textContent = 'N debe ser un entero entre 1 y 4096.'; n.focus(); return; }
    if (text === '' || !Number.isFinite(predicted)) {
      error.textContent = 'Escriba primero su predicción: un número, como 0.7 o 1.4.';
      guess.setAttribute('aria-invalid', 'true'); guess.focus(); return;
    }
    const columns = n.valueAsNumber, divisor = form.elements.divisor.value === 'n' ? columns : block();
    new Float32Array(c.memory.buffer, c.row_x(), columns).fill(1);
    c.row_forward(columns, divisor, 1e-6);
    const y = new Float32Array(c.memory.buffer, c.row_y(), columns)[0];
    const near = Math.abs(predicted - y) <= 0.01 * Math.abs(y);
    result.innerHTML = '<p></p><p></p>';
    result.children[0].textContent = `La suma es ${columns}; dividida por ${divisor}, la media es ` +
      `${Number((columns / divisor).toPrecision(9))}. Cada elemento de la salida vale ${Number(y.toPrecision(7))}.`;
    result.children[1].textContent = near ? `Usted predijo ${predicted}: acertó.` :
      `Usted predijo ${predicted}. ¿En qué paso se separó su cuenta?`;
  });
});
