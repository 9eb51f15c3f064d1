// Preloaded into the process of the check. Prints its peak memory and the read units that it used, when it ends.
import { consumedUnits } from '#shared/platform/table/consumed-units.ts'

process.on('exit', () => {
  const mib = Math.round(process.resourceUsage().maxRSS / 1024)
  process.stderr.write(`MEASURED ${JSON.stringify({ mib, reads: Math.round(consumedUnits.read) })}\n`)
})
