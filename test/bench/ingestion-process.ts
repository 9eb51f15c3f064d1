import { ingestionRates } from './ingestion.ts'

// Runs in its own process, because the functions' clients keep the first engine that they use.
process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
process.stdout.write(JSON.stringify(await ingestionRates(5, 2000)))
