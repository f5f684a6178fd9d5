import csv,re,sys
runs=[];pid=None
for l in open(sys.argv[1]):
    if not l.startswith('"'): continue
    f=next(csv.reader([l]))
    if f[0]=='ID': continue
    k=(f[1],f[0])
    if not runs or runs[-1][0]!=k: runs.append((k,f[4],f[8],f[7],{}))
    runs[-1][4][f[12]]=f[14]
for k,name,grid,block,m in runs:
    def g(n):
        try: return float(m[n].replace(',',''))
        except Exception: return float('nan')
    print(name[:75],grid,block)
    print('  t %.1f us dram R %.1f MB W %.1f MB | L2 rd %.2f wr %.2f Msect, L2hit %.1f L1hit %.1f | dram%% %.1f lts%% %.1f | cycles avg %.0f min %.0f max %.0f | issue %.1f%% warps %.1f%%'%(g('gpu__time_duration.sum')/1e3,g('dram__bytes_read.sum')/1e6,g('dram__bytes_write.sum')/1e6,g('lts__t_sectors_op_read.sum')/1e6,g('lts__t_sectors_op_write.sum')/1e6,g('lts__t_sector_hit_rate.pct'),g('l1tex__t_sector_hit_rate.pct'),g('dram__throughput.avg.pct_of_peak_sustained_elapsed'),g('lts__throughput.avg.pct_of_peak_sustained_elapsed'),g('sm__cycles_active.avg'),g('sm__cycles_active.min'),g('sm__cycles_active.max'),g('smsp__issue_active.avg.pct_of_peak_sustained_active'),g('sm__warps_active.avg.pct_of_peak_sustained_active')))
    st={re.search('stalled_(.*)_per',n).group(1):g(n) for n in m if 'stalled' in n}
    print('  ',{a:round(b,2) for a,b in sorted(st.items(),key=lambda x:-x[1])[:7]})
