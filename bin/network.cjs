// Whether the npm registry answers. npm itself would try again and again, for minutes. CommonJS, so that an old Node can read it too.
const { spawn } = require('node:child_process')

const ANSWER_LIMIT_MS = 5000
/** npm needs time to start, too. */
const LIMIT_MS = 10_000

/** npm's codes for a network that is not there. Any other answer is one, even a refusal. A slow registry may still answer npm itself. */
const NO_ANSWER = /code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH)/

const TIMED_OUT = /code (ETIMEDOUT|ERR_SOCKET_TIMEOUT|FETCH_ERROR)/

/** @returns `offline`: npm's code, when there is no network; `isSlow`: whether the registry did not answer within seconds */
const problemOfNetwork = () =>
  new Promise((resolve) => {
    const asking = ['ping', '--fetch-retries=0', `--fetch-timeout=${ANSWER_LIMIT_MS}`, '--loglevel=error', '--no-progress']
    const child = spawn('npm', asking, { stdio: ['ignore', 'ignore', 'pipe'], timeout: LIMIT_MS })
    let text = ''
    child.stderr.on('data', (part) => {
      text += part
    })
    child.on('error', () => resolve({ isSlow: false }))
    child.on('close', (_, signal) => {
      const [, code] = NO_ANSWER.exec(text) || []
      resolve({ offline: code, isSlow: signal !== null || TIMED_OUT.test(text) })
    })
  })

module.exports = { problemOfNetwork }
