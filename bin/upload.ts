import { setTimeout as pause } from 'node:timers/promises'
import { readCommandLine, USAGE } from '#lib/uploader/options.ts'
import { runUploader } from '#lib/uploader/run.ts'

const commandLine = readCommandLine(process.argv.slice(2), process.env)
if (commandLine.kind === 'help') process.stdout.write(USAGE)
else if (commandLine.kind === 'mistake') {
  process.stderr.write(`${commandLine.message} See --help.\n`)
  process.exitCode = 2
} else {
  process.exitCode = await runUploader(commandLine.options, {
    terminal: { isTTY: process.stderr.isTTY, write: (text) => process.stderr.write(text) },
    print: (text) => process.stdout.write(text),
    clock: () => performance.now(),
    pause,
  })
}
