// Preloaded into the service's processes. Records the peak memory of a CSV worker's thread: heap and external memory, which fill a
// function's memory on AWS. The process's own numbers would include all functions.
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import workers from 'node:worker_threads'

const LOOK_MS = 100
const file = process.env['MEMORY_FILE']
const mib = (bytes: number) => bytes / 1024 / 1024
let most = 0

class WatchedWorker extends workers.Worker {
  constructor(...options: ConstructorParameters<typeof workers.Worker>) {
    super(...options)
    if (file === undefined || !/ingest-csv|IngestCsv/.test(options[1]?.name ?? '')) return
    const look = async (): Promise<void> => {
      const { total_heap_size, external_memory } = await this.getHeapStatistics()
      if (mib(total_heap_size + external_memory) <= most) return
      most = mib(total_heap_size + external_memory)
      writeFileSync(file, String(most))
    }
    // A worker has no statistics before it runs or after it has ended.
    const timer = setInterval(() => void look().catch(() => {}), LOOK_MS).unref()
    this.once('exit', () => clearInterval(timer))
  }
}

Object.assign(workers, { Worker: WatchedWorker })
syncBuiltinESMExports()
