import { buildApp } from '#lib/app.ts'
import { settingsOf } from '#lib/settings.ts'

try {
  const app = buildApp()
  // cdk asks for confirmation without the names of the stacks, which contain the stage.
  process.stderr.write(`Stage ${settingsOf(app).stage}.\n`)
  app.synth()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
