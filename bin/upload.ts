import { setTimeout as pause } from 'node:timers/promises'
import { carryOut } from '#lib/command-line.ts'
import { readCommandLine, USAGE } from '#lib/uploader/options.ts'
import { runUploader } from '#lib/uploader/run.ts'

await carryOut(readCommandLine(process.argv.slice(2), process.env), USAGE, (options) =>
  runUploader(options, {
    terminal: { isTTY: process.stderr.isTTY, write: (text) => process.stderr.write(text) },
    print: (text) => process.stdout.write(text),
    clock: () => performance.now(),
    pause,
  }),
)
