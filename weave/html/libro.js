document.querySelectorAll('.en-pagina details').forEach(d => { d.open = matchMedia('(min-width: 78rem)').matches; });
