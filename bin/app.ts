import { buildApp } from '#lib/app.ts'

try {
  buildApp().synth()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
