/* Runs in each page of the benchmark before the console's own scripts, and notes when something is painted. */

/** The time, in milliseconds of `performance.now()`, after the next frame is painted. */
function afterPaint() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(null)
    })
  })
}

/** Resolves after the first frame with an element that matches and contains the text. */
function whenPainted(selector, text = '') {
  return new Promise((resolve) => {
    const isThere = () =>
      [...document.querySelectorAll(selector)].some(({ textContent }) => textContent.includes(text))
    const look = () => {
      if (!isThere()) return
      observer.disconnect()
      resolve(afterPaint())
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true, characterData: true })
    look()
  })
}

let clickedAt = 0
addEventListener('click', ({ timeStamp }) => (clickedAt = timeStamp), { capture: true })

const tasks = []
new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask' })

/** The names of scripts and styles that have arrived. */
const loadedFiles = () =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name.split('/').at(-1))
    .filter((name) => /\.(js|css)$/.test(name))

/** Opens the first conversations of the list in turn. Commands of the browser driver would add to the heap. */
async function openInTurn(times, among) {
  for (let i = 0; i < times; i++) {
    const row = document.querySelectorAll('[data-row]')[i % among]
    row.click()
    await whenPainted(`[data-row="${row.dataset.row}"][aria-current]`)
    await whenPainted('[role=log] [data-message]')
  }
}

globalThis.bench = {
  /** The first row of the list, and what had been loaded by then. */
  firstRow: whenPainted('[data-row]').then((ms) => ({ ms, files: loadedFiles() })),
  loadedFiles,
  whenPainted,
  openInTurn,
  /** Milliseconds from the click that comes next to the frame that shows the message. */
  opening: async (messageId) => (await whenPainted(`[data-message="${messageId}"]`)) - clickedAt,
  /** The moment, in Unix milliseconds, of the frame that shows a message with the text. */
  arrival: async (text) => performance.timeOrigin + (await whenPainted('[data-message]', text)),
  /** The long tasks of the main thread since the last call, in milliseconds. */
  takeTasks: () => tasks.splice(0).map(({ duration }) => duration),
}
