// Preloaded into a process of the operator's tool. Prints its peak memory and the units that it used, when it ends.
import { consumedUnits } from '#shared/platform/table/consumed-units.ts'

process.on('exit', () => {
  const mib = Math.round(process.resourceUsage().maxRSS / 1024)
  const { read, write } = consumedUnits
  process.stderr.write(`MEASURED ${JSON.stringify({ mib, reads: Math.round(read), writes: Math.round(write) })}\n`)
})
