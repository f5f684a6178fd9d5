-- html.lua: la forma HTML de lo que tiene el libro: enlaces entre páginas,
-- secciones numeradas, figuras dentro de la página, tablas que se desplazan,
-- notas y ejercicios que se despliegan.
local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local anchors = dofile(pandoc.path.join { here, 'anchors.lua' })
local found, page, whole = {}, nil, false

local function raw(text) return pandoc.RawBlock('html', text) end

local function read_meta(meta)
  found = anchors.load(pandoc.utils.stringify(meta.targets))
  page = meta.page and pandoc.utils.stringify(meta.page)
  whole = meta.whole ~= nil            -- EPUB: un solo documento
end

-- Los enlaces a un trozo son miles: van por su número, que es más corto. Los de
-- ⟨uso⟩ no, porque son los que se despliegan
local function short(number) return 'n' .. number:match('[^.]*$') end

local function link(el)
  if whole and el.target:match('^codigo/') then return el.content end
  local id = el.target:match('^#(.+)$')
  if not id then return nil end
  local target = found[id]
  anchors.with_number(el, target)
  if whole then return el end
  local brief = target and target.kind == 'trozo' and not el.classes:includes('uso')
  if target and target.page ~= page then
    if brief then id = short(target.number) end
    el.target = target.page .. '.html' ..
      ((target.kind == 'capítulo' or target.kind == 'página') and '' or '#' .. id)
  elseif id:match('^ref%-') and page ~= 'bibliografia' then
    el.target = 'bibliografia.html#' .. id
  elseif brief then
    el.target = '#' .. short(target.number)
  end
  return el
end

local function header(el)
  local number = el.attributes.number
  el.attributes.number = nil
  if number and number ~= '' then
    local kind = number:match('^%u$') and 'num letra' or 'num'
    local text = { pandoc.Str(number) }
    el.content:insert(1, el.level == 1 and pandoc.Span(text, { class = kind })
      or pandoc.Link(text, '#' .. el.identifier, '', { class = kind }))
    el.content:insert(2, el.level == 1 and pandoc.Space() or pandoc.Str('\u{2002}'))
  end
  return el
end

-- El tamaño del dibujo, para que la página no salte al cargarlo
local function size(path)
  local file = io.open(path)
  if not file then return '' end
  local w, h = file:read('a'):match('viewBox="[-%d.]+[ ,]+[-%d.]+[ ,]+([%d.]+)[ ,]+([%d.]+)"')
  file:close()
  if not w then return '' end
  return string.format(' width="%d" height="%d"', math.floor(w + 0.5), math.floor(h + 0.5))
end

local function quoted(text)
  return (text:gsub('&', '&amp;'):gsub('"', '&quot;'):gsub('<', '&lt;'))
end

local function figure(el)
  if #el.content ~= 1 or el.content[1].t ~= 'Image' then return nil end
  local image = el.content[1]
  local number = image.attributes.number
  if not number then return nil end
  local caption = image.caption
  caption:insert(1, pandoc.Span({ pandoc.Str('Figura\u{a0}' .. number .. '.') },
                                { class = 'rotulo' }))
  caption:insert(2, pandoc.Space())
  if whole then                        -- el archivo viaja dentro del EPUB
    return { raw('<figure id="' .. image.identifier .. '">'),
      pandoc.Plain { pandoc.Image({ pandoc.Str(image.attributes.alt or '') }, image.src) },
      raw('<figcaption>'), pandoc.Plain(caption), raw('</figcaption></figure>') }
  end
  return {
    raw('<figure id="' .. image.identifier .. '">'),
    raw('<div class="dibujo"><img src="' .. image.src .. '" alt="' ..
        quoted(image.attributes.alt or '') .. '"' .. size(image.src) .. ' loading="lazy"></div>'),
    raw('<figcaption>'), pandoc.Plain(caption), raw('</figcaption></figure>'),
  }
end

local function code_block(el)
  if el.classes:includes('salida') then
    return { raw('<div class="salida">'), pandoc.CodeBlock(el.text, { class = 'salida' }),
             raw('</div>') }
  end
end

-- Una cabeza que sólo lleva una fórmula se dice también en texto: hay lectores
-- de pantalla que no entran en ella
local function name_formulas(tbl)
  for _, row in ipairs(tbl.head.rows) do
    for _, cell in ipairs(row.cells) do
      local block = cell.contents[1]
      if block and block.content and #block.content == 1 and block.content[1].t == 'Math' then
        local text = block.content[1].text:gsub('[\\_{}^]', ' '):gsub(' +', ' ')
        block.content = { pandoc.Span(block.content, { ['aria-hidden'] = 'true' }),
                          pandoc.Span({ pandoc.Str(text) }, { class = 'oculto' }) }
      end
    end
  end
end

-- La tabla se desplaza en su caja; su título, fuera, se lee entero
local tables = 0
local function table_(el)
  tables = tables + 1
  anchors.groups(el)
  el.colspecs = el.colspecs:map(function(spec) return { spec[1], nil } end)
  if whole then return el end
  name_formulas(el)
  local title = el.caption.long[1]
  local out = pandoc.List()
  local label = 'aria-label="Tabla sin título ' .. tables .. '"'
  if title then
    label = 'aria-labelledby="titulo-' .. tables .. '"'
    out:insert(raw('<p class="titulo" id="titulo-' .. tables .. '">'))
    out:insert(pandoc.Plain(title.content))
    out:insert(raw('</p>'))
    el.caption.long = {}
  end
  out:insert(raw('<div class="ancha" role="region" tabindex="0" ' .. label .. '>'))
  out:insert(el)
  out:insert(raw('</div>'))
  return out
end

local function numbered_table(el)
  local number = el.attributes.number
  el.attributes.number = nil
  return el:walk {
    Table = function(tbl)
      local first = tbl.caption.long[1]
      if first then
        first.content:insert(1, pandoc.Span({ pandoc.Str('Tabla\u{a0}' .. number .. '.') },
                                            { class = 'rotulo' }))
        first.content:insert(2, pandoc.Space())
      end
      return tbl
    end
  }
end

local function wrapped(open, blocks, close)
  local out = pandoc.List { raw(open) }
  out:extend(blocks)
  out:insert(raw(close))
  return out
end

local function title(text) return raw('<p class="rotulo">' .. text .. '</p>') end

local function div(el)
  local c = el.classes
  if c:includes('tabla') then return numbered_table(el)
  elseif c:includes('nota') then
    el.content:insert(1, title('Nota'))
    return wrapped('<aside class="nota" role="note">', el.content, '</aside>')
  elseif c:includes('ejercicio') then
    anchors.without_number(el.content)
    el.content:insert(1, title('Ejercicio ' .. el.attributes.number))
    return wrapped('<section class="ejercicio" id="' .. el.identifier ..
      '" aria-label="Ejercicio ' .. el.attributes.number .. '">', el.content, '</section>')
  elseif c:includes('solucion') then
    return wrapped('<details class="plegado"><summary>Solución</summary><div>',
                   el.content, '</div></details>')
  elseif c:includes('pista') then
    return wrapped('<details class="plegado"><summary>Pista</summary><div>',
                   el.content, '</div></details>')
  elseif c:includes('trozo') then
    el.attributes.name = nil
    if el.attributes.root then
      el.attributes.archivo = el.attributes.root
      el.attributes.root = nil
    end
    local number = el.attributes.number
    el.attributes.number = nil
    return el:walk {
      Span = function(span)             -- el número, enlace a sí mismo
        if span.classes:includes('num') then
          return pandoc.Link(span.content, '#' .. el.identifier, '',
            { id = not whole and short(number) or nil, class = 'num' })
        elseif not whole and (span.classes:includes('nombre') or span.classes:includes('signo')) then
          return span.content
        end
      end,
      Div = function(edge)
        if not whole and (edge.classes:includes('pie') or edge.classes:includes('cabeza')) then
          return { raw('<p class="' .. edge.classes[1] .. '">'),
                   pandoc.Plain(edge.content[1].content), raw('</p>') }
        end
      end,
    }
  end
end

local function math(el)
  el.text = el.text:gsub('%s+', ' ')     -- en una línea: aligera.sed va por líneas
  if el.mathtype == 'DisplayMath' then
    return pandoc.Span({ el }, { class = 'ecuacion' })
  end
  return el
end

return {
  { Meta = read_meta, Inlines = anchors.inlines },
  { Div = function(el) if el.classes:includes('tabla') then return numbered_table(el) end end },
  { Link = link, Header = header, Para = figure, Table = table_, Math = math,
    CodeBlock = code_block,
    Div = function(el) if not el.classes:includes('tabla') then return div(el) end end },
}
