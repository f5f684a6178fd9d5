-- anchors.lua: lo que hay en el libro y dónde. Lo usan los filtros.
local anchors = {}

function anchors.load(path)
  local found = {}
  local file = assert(io.open(path), 'anchors.lua: falta ' .. path)
  for line in file:lines() do
    local id, page, kind, number = line:match('^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)')
    found[id] = { page = page, kind = kind, number = number }
  end
  file:close()
  return found
end

-- [figura](#fig:x) se lee «figura 4.1», sin que nadie escriba el número
function anchors.with_number(link, target)
  if target and (target.kind == 'figura' or target.kind == 'tabla'
      or target.kind == 'ejercicio')
     and not pandoc.utils.stringify(link.content):match('%d') then
    link.content:insert(pandoc.Str('\u{a0}' .. target.number))
  end
  return link
end

-- Dentro de un párrafo el aparato se dice una vez, hasta que cambia
function anchors.device_once(inlines)
  local last
  local out = pandoc.List()
  for _, x in ipairs(inlines) do
    if x.t == 'Span' and x.classes:includes('aparato') then
      local device = pandoc.utils.stringify(x.content)
      if device ~= last then out:insert(x) end
      last = device
    else out:insert(x) end
  end
  return out
end

-- Un número no se separa de su unidad al final de la línea
local UNITS = { '%%', 'µs', 'ms', 'ns', 'GB/s', 'TB/s', '[KMG]i?B' }
function anchors.units(inlines)
  for i = 2, #inlines - 1 do
    local before, after = inlines[i - 1], inlines[i + 1]
    if inlines[i].t == 'Space' and before.t == 'Str' and before.text:match('%d$')
       and after.t == 'Str' then
      for _, unit in ipairs(UNITS) do
        if after.text:match('^' .. unit .. '%f[^%a/%%]') then
          inlines[i] = pandoc.Str('\u{a0}')
        end
      end
    end
  end
  return inlines
end
function anchors.inlines(inlines) return anchors.units(anchors.device_once(inlines)) end

-- El número de un ejercicio lo pone la prensa: sobra el que abra su texto
function anchors.without_number(blocks)
  local strong = blocks[1] and blocks[1].content and blocks[1].content[1]
  if not strong or strong.t ~= 'Strong' then return end
  local first = strong.content[1]
  if not first or first.t ~= 'Str' or not first.text:match('^%d[%d.]*%.?$') then return end
  strong.content:remove(1)
  if strong.content[1] and strong.content[1].t == 'Space' then strong.content:remove(1) end
  if #strong.content == 0 then
    blocks[1].content:remove(1)
    if blocks[1].content[1] and blocks[1].content[1].t == 'Space' then
      blocks[1].content:remove(1)
    end
  end
end

-- Una fila que sólo dice de quién son las que siguen abre un grupo
function anchors.groups(tbl)
  local out = pandoc.List()
  for _, body in ipairs(tbl.bodies) do
    local now = { attr = body.attr, row_head_columns = body.row_head_columns,
                  head = body.head, body = {} }
    for _, row in ipairs(body.body) do
      local block = row.cells[1].contents[1]
      local span = block and block.content and block.content[1]
      if span and span.t == 'Span' and span.classes:includes('grupo') then
        if #now.body > 0 then out:insert(now) end
        row.cells = { row.cells[1] }
        row.cells[1].col_span = #tbl.colspecs
        row.cells[1].alignment = 'AlignLeft'
        now = { attr = pandoc.Attr(), row_head_columns = 0, head = { row }, body = {} }
      else
        table.insert(now.body, row)
      end
    end
    out:insert(now)
  end
  tbl.bodies = out
  return tbl
end

return anchors
