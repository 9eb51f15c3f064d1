// Which packages are installed. CommonJS, so that an old Node can read it too.
const { existsSync, readFileSync, symlinkSync } = require('node:fs')
const { join } = require('node:path')

const PROJECT = join(__dirname, '..')

/** npm writes this file last, so half an installation lacks it. */
const INSTALLED = join(PROJECT, 'node_modules/.package-lock.json')

/**
 * Kinds of commands by the packages that they need: first npm start, then npm test as well, then everything. `groups` are those of
 * package.json. `megabytes`: what an installation takes on the disk, as the progress counts it.
 */
const LEVELS = [
  { name: 'start', groups: ['dependencies'], npm: ['--omit=dev', '--omit=peer', '--include=optional'], megabytes: 480 },
  {
    name: 'test',
    groups: ['dependencies', 'devDependencies'],
    npm: ['--include=dev', '--omit=peer', '--include=optional'],
    megabytes: 960,
  },
  {
    name: 'all',
    groups: ['dependencies', 'devDependencies', 'peerDependencies'],
    npm: ['--include=dev', '--include=peer', '--include=optional'],
    megabytes: 1205,
  },
]

const levelNamed = (name) => LEVELS.find((level) => level.name === name)

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (_) {
    return undefined
  }
}

/** The highest installed level; undefined when an installation is missing or incomplete. */
const installedLevel = () => {
  const { packages } = readJson(INSTALLED) || {}
  const manifest = readJson(join(PROJECT, 'package.json'))
  if (packages === undefined || manifest === undefined) return undefined
  const has = (name) => packages[`node_modules/${name}`] !== undefined
  const isComplete = ({ groups }) => groups.every((group) => Object.keys(manifest[group] || {}).every(has))
  return LEVELS.filter(isComplete).pop()
}

/** Whether what the first level needs is part of the second one. */
const isWithin = (level, other) => other !== undefined && LEVELS.indexOf(level) <= LEVELS.indexOf(other)

/**
 * When npm 10 leaves out the packages of other platforms, it removes the link to this platform's Node with theirs: all have the same name.
 * @returns whether the link was missing, and is there now
 */
const linkNode = () => {
  const name = `node-${process.platform}-${process.arch}`
  const link = join(PROJECT, 'node_modules/.bin/node')
  if (existsSync(link) || !existsSync(join(PROJECT, 'node_modules', name, 'bin/node'))) return false
  try {
    symlinkSync(join('..', name, 'bin/node'), link)
    return true
  } catch (_) {
    return false
  }
}

module.exports = { INSTALLED, PROJECT, installedLevel, isWithin, levelNamed, linkNode }
