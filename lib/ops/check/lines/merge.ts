import { RunFile } from './run-file.ts'

/** Puts a run into its place: runs are in the order of their current lines. */
const insert = (runs: RunFile[], run: RunFile): void => {
  const { head = '' } = run
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.head ?? '') < head) low = middle + 1
    else high = middle
  }
  runs.splice(low, 0, run)
}

/** Most files that may be merged at once: memory holds a chunk of each. */
export const MOST_MERGED = 100

/** The lines of sorted files, in order. At most `MOST_MERGED` files. */
export function* mergedLines(paths: readonly string[]): Generator<string> {
  const files: RunFile[] = []
  const runs: RunFile[] = []
  try {
    for (const path of paths) {
      const file = new RunFile(path)
      files.push(file)
      if (file.head !== undefined) insert(runs, file)
    }
    for (let run = runs.shift(); run; run = runs.shift()) {
      yield run.head ?? ''
      run.next()
      if (run.head !== undefined) insert(runs, run)
    }
  } finally {
    for (const file of files) file.close()
  }
}
