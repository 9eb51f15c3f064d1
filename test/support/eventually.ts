/** Waits until `condition` holds, asking every 20 ms. Fails after `milliseconds`: long, for machines that are busy with other tests. */
export const eventually = async (condition: () => unknown, milliseconds = 20_000): Promise<void> => {
  const end = performance.now() + milliseconds
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
