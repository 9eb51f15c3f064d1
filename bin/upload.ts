import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '#lib/command-line/command-line.ts'
import { readUploadCommandLine, UPLOAD_USAGE } from '#lib/uploader/options.ts'
import { runUploader } from '#lib/uploader/run.ts'

/** Signals that stop the command, with their numbers: Ctrl-C, a closed terminal, a polite kill. */
const SIGNALS = { SIGINT: 2, SIGHUP: 1, SIGTERM: 15 } as const

const whenStopped = (sentence: () => string): void => {
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.once(signal, () => {
      // A closed terminal takes no text.
      process.stderr.on('error', () => {})
      process.stderr.write(`\nStopped. ${sentence()}\n`)
      process.exit(128 + number)
    })
  }
}

await runCommand(readUploadCommandLine(process.argv.slice(2), process.env), UPLOAD_USAGE, (options) =>
  runUploader(options, {
    terminal: { isTTY: process.stderr.isTTY, write: (text) => process.stderr.write(text) },
    print: (text) => process.stdout.write(text),
    clock: () => performance.now(),
    pause,
    whenStopped,
  }),
)
