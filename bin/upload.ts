import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '#lib/command-line.ts'
import { readUploadCommandLine, UPLOAD_USAGE } from '#lib/uploader/options.ts'
import { runUploader } from '#lib/uploader/run.ts'

await runCommand(readUploadCommandLine(process.argv.slice(2), process.env), UPLOAD_USAGE, (options) =>
  runUploader(options, {
    terminal: { isTTY: process.stderr.isTTY, write: (text) => process.stderr.write(text) },
    print: (text) => process.stdout.write(text),
    clock: () => performance.now(),
    pause,
  }),
)
