// Comes before npm start and npm test. Installs what they need, on a fresh clone and after the lock has changed, and shows how far it is.
// CommonJS, so that an old Node can read it too.
const { spawn, spawnSync } = require('node:child_process')
const { accessSync, constants, existsSync, lstatSync, readdirSync, rmSync, statSync } = require('node:fs')
const { join } = require('node:path')
const { INSTALLED, PROJECT, installedLevel, isWithin, levelNamed, linkNode } = require('./installed.cjs')
const { problemOfMachine } = require('./machine.cjs')
const { problemOfNetwork } = require('./network.cjs')

const MODULES = join(PROJECT, 'node_modules')
const STOPPED_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
const PROGRESS_MS = 4000
/** Read at once: the shell that runs us may end at any time. */
const PARENT = process.ppid
const PARENT_CHECK_MS = 500

const say = (line) => process.stderr.write(`${line}\n`)

const fail = (sentence, code = 1) => {
  say(sentence)
  process.exit(code)
}

const isLink = () => existsSync(MODULES) && lstatSync(MODULES).isSymbolicLink()

const isOlderThanLock = () => !existsSync(INSTALLED) || statSync(INSTALLED).mtimeMs <= statSync(join(PROJECT, 'package-lock.json')).mtimeMs

const isWritable = (folder) => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (_) {
    return false
  }
}

/** Prints now and then how much is on the disk. @returns a function that ends it */
const showProgress = (megabytes) => {
  const timer = setInterval(() => {
    const counting = spawn('du', ['-sk', MODULES], { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    counting.stdout.on('data', (part) => {
      text += part
    })
    // Without du, or with node_modules still missing, there is nothing to show.
    counting.on('error', () => {})
    counting.on('close', () => {
      const kilobytes = Number.parseInt(text, 10)
      if (kilobytes > 0 && !done) say(`  ${Math.round(kilobytes / 1024)} of about ${megabytes} MB`)
    })
  }, PROGRESS_MS)
  let done = false
  return () => {
    done = true
    clearInterval(timer)
  }
}

/**
 * Runs npm, with its errors shown unless it is `silent`. @returns whether it succeeded. A signal ends npm, and then this process. npm also ends
 * when nobody reads our output, or when our shell has ended.
 */
const runNpm = (args, megabytes, silent) =>
  new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: PROJECT, stdio: ['ignore', 'ignore', silent ? 'ignore' : 'inherit'] })
    const endProgress = showProgress(megabytes)
    let stoppedBy
    const stop = (signal) => {
      stoppedBy = signal
      endProgress()
      // npm would first tidy up, for many seconds. The next installation does that anyway.
      child.kill('SIGKILL')
    }
    for (const signal of Object.keys(STOPPED_BY_SIGNAL)) process.on(signal, () => stop(signal))
    process.stderr.on('error', () => stop('SIGHUP'))
    setInterval(() => process.ppid !== PARENT && stop('SIGHUP'), PARENT_CHECK_MS).unref()
    child.on('error', (error) => fail(`npm cannot be started: ${error.message}.`))
    child.on('close', (code) => {
      endProgress()
      if (stoppedBy !== undefined)
        fail('Stopped before everything was installed. The next start installs it again.', STOPPED_BY_SIGNAL[stoppedBy])
      resolve(code === 0)
    })
  })

/** The packages of Node contain headers for compilers, a third of their size. Nothing here is compiled. */
const removeHeaders = () => {
  for (const name of readdirSync(MODULES).filter((folder) => /^node-(linux|darwin)-/.test(folder)))
    rmSync(join(MODULES, name, 'include'), { recursive: true, force: true })
}

/** What is installed, and how much that is: as README.md says, unless more was installed before. */
const announcement = (level, wanted) => {
  const size = `about ${level.megabytes} MB`
  return level === wanted
    ? `Installing the packages, once (${size}) …`
    : `Installing the packages again, because package-lock.json has changed. More of them were installed than this command needs (${size} instead of ${wanted.megabytes} MB) …`
}

/** @param wanted the level that the command needs: a higher one stays installed */
const install = async (level, wanted) => {
  const problem = problemOfMachine()
  if (problem !== undefined) fail(problem)
  for (const folder of [PROJECT, MODULES]) {
    if (existsSync(folder) && !isWritable(folder))
      fail(`The packages cannot be installed, because you may not write in ${folder}. Change its owner or its rights, and start again.`)
  }
  const begin = Date.now()
  const isAddition = !isOlderThanLock() && installedLevel() !== undefined
  say(announcement(level, wanted))
  const { offline, isSlow } = await problemOfNetwork()
  if (offline !== undefined) say(`The npm registry does not answer (${offline}). Trying the cache of npm …`)
  if (isSlow) say('The npm registry has not answered yet. Without a network, this ends within some minutes.')
  // Ends the validity of the old packages before npm removes them. When npm adds packages, the old ones stay as they are.
  if (!isAddition) rmSync(INSTALLED, { force: true })
  // Scripts of packages are not needed, and older versions of npm do not know allowScripts.
  const quiet = [
    '--loglevel=error',
    '--no-progress',
    '--ignore-scripts',
    ...level.npm,
    ...(offline === undefined ? [] : ['--offline']),
    ...(isSlow ? ['--fetch-retries=1', '--fetch-timeout=60000'] : []),
  ]
  const isDone = await runNpm([...(isAddition ? ['install', '--no-save'] : ['ci']), ...quiet], level.megabytes, offline !== undefined)
  if (!isDone && offline !== undefined) {
    fail(
      `The packages cannot be installed: the npm registry does not answer (${offline}), and the cache of npm lacks some of them. Connect to the network, or check your proxy and "npm config get registry". Then start again.`,
    )
  }
  if (!isDone) fail('The packages cannot be installed: npm says above why. The next start tries again.')
  removeHeaders()
  linkNode()
  say(`Installed in ${Math.round((Date.now() - begin) / 1000)} s.`)
}

const prepare = async (level) => {
  // A link leads to the packages of somebody else, and installing would empty their folder.
  if (!isLink()) {
    const present = installedLevel()
    if (isOlderThanLock() || !isWithin(level, present)) await install(isWithin(level, present) ? present : level, level)
  }
  // Runs the Node that npm has just brought, if there is one.
  const { status, error } = spawnSync('node', [join(__dirname, 'ready.cjs'), level.name], { stdio: 'inherit' })
  if (error !== undefined || status === null)
    fail('The Node.js that npm has installed does not run here. See "Platforms" in docs/CONTRIBUTING.md.')
  process.exitCode = status
}

void prepare(levelNamed(process.argv[2]))
