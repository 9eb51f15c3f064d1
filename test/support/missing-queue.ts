/** Runs something while the queue whose URL is in a variable of the environment does not exist. */
export const whileQueueIsMissing = async <T>(variable: string, run: () => Promise<T>): Promise<T> => {
  const url = `${process.env[variable]}`
  process.env[variable] = `${url}-missing`
  try {
    return await run()
  } finally {
    process.env[variable] = url
  }
}
