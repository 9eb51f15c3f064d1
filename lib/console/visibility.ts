export const isVisible = (): boolean => document.visibilityState === 'visible'

/** Waits until the tab is visible. Never resolves after the signal has aborted. */
export const whenVisible = (signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (isVisible()) return resolve()
    const check = () => {
      if (!isVisible()) return
      document.removeEventListener('visibilitychange', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check, signal && { signal })
  })
