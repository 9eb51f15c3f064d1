// CommonJS, so that an old Node reads it and prints the sentence instead of failing to parse what it was to start.
const needed = 24

if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(`This service needs Node ${needed} or newer, but this is ${process.version}: install one, from nodejs.org for example.`)
  process.exit(1)
}
