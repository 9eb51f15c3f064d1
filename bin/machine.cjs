// Whether this machine can run the service. CommonJS, so that an old Node can read it too.
const { execFileSync } = require('node:child_process')
const { optionalDependencies } = require('../package.json')

const OLDEST_FOR_NPM = [20, 0]
const OLDEST_FOR_SERVICE = [24, 2]

const isOlder = (version, [major, minor]) => {
  const [ownMajor, ownMinor] = version.slice(1).split('.').map(Number)
  return ownMajor < major || (ownMajor === major && ownMinor < minor)
}

/** The Node that runs npm. This program may run on the one of an earlier installation. */
const versionOfHost = () => {
  const program = process.env.npm_node_execpath
  return program ? execFileSync(program, ['--version'], { encoding: 'utf8' }).trim() : process.version
}

/** @returns a sentence about why nothing can be installed here; undefined when it can. The arguments are for tests. */
const problemOfMachine = ({ platform, arch, version } = { platform: process.platform, arch: process.arch, version: versionOfHost() }) => {
  if (platform === 'win32')
    return 'On Windows, the service runs inside WSL: see "Platforms" in docs/CONTRIBUTING.md. Nothing was installed.'
  const fromNpm = optionalDependencies[`node-${platform}-${arch}`]
  const oldest = fromNpm ? OLDEST_FOR_NPM : OLDEST_FOR_SERVICE
  if (!isOlder(version, oldest)) return undefined
  const why = fromNpm ? '' : ` on ${platform}-${arch}, for which npm brings none`
  return `This service needs Node.js ${oldest[0] === 20 ? 20 : oldest.join('.')} or newer${why}, but this is ${version}. Nothing was installed. Install a newer one, from https://nodejs.org for example, and start again.`
}

module.exports = { problemOfMachine }
