import { synthesise } from '#lib/local/synthesise.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('The folder to build in is missing.')
process.stdout.write(JSON.stringify(await synthesise(folder)))
