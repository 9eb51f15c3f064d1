import { ingestionRates } from './ingestion.ts'

// By itself: the clients of the functions stay with the engine that they meet first.
process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
process.stdout.write(JSON.stringify(await ingestionRates(5, 2000)))
