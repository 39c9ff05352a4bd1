/**
 * Limits on the concurrent attempts of a process. An attempt counts as working during its first `soonMs`. After that it
 * waits for its receiver: it uses about 100 kB of memory with TLS, but no processor time.
 */
export const placeLimits = {
  /** The limit of working attempts. */
  working: 1_024,
  soonMs: 100,
  /** The number of places. An attempt takes one, and another one for each further `bytesPerPlace` of its body. */
  all: 2_048,
  bytesPerPlace: 32 * 1024,
  /** The part of `all` that is kept for endpoints with no other attempt whose last attempt was answered. */
  kept: 512,
}

export type Place = {
  /** Takes further places for a large body. */
  hold(bytes: number): void
  /** Marks the attempt as waiting; it no longer counts as working. */
  wait(): void
  free(): void
}

/** The places of one environment. */
export type Share = {
  /** Returns null if the environment may have no more at present; `onRoom` is then called when a place becomes free. */
  take(mayHaveKept: boolean): Place | null
}

export type Attempts = { readonly working: number; readonly waiting: number }

export type Places = Attempts & { share(onRoom: () => void): Share }

type Load = { working: number; waiting: number; places: number }

const noLoad = (): Load => ({ working: 0, waiting: 0, places: 0 })

/**
 * Divides places among environments: each may have as many as are free. So a single one gets half of them, three get a
 * quarter each, and some stay free for an environment that has none yet. These are the dynamic thresholds of buffers in
 * network switches (Choudhury and Hahne, 1998).
 */
export function openPlaces(limits = placeLimits): Places {
  const all = noLoad()
  /** Shares that were refused a place with their `onRoom`, oldest first. */
  const refused = new Map<Load, () => void>()

  const hasRoom = (own: Load, kept: number): boolean =>
    own.working < limits.working - all.working && own.places < limits.all - all.places - kept

  function add(own: Load, { working, waiting, places }: Load): void {
    for (const load of [own, all]) {
      load.working += working
      load.waiting += waiting
      load.places += places
    }
  }

  function tellRefused(): void {
    for (const [own, tell] of refused) {
      if (!hasRoom(own, 0)) continue
      refused.delete(own)
      tell()
    }
  }

  function take(own: Load): Place {
    const held: Load = { working: 1, waiting: 0, places: 1 }
    add(own, held)
    return {
      hold(bytes) {
        const more = Math.ceil(bytes / limits.bytesPerPlace) - held.places
        if (more <= 0) return
        held.places += more
        add(own, { working: 0, waiting: 0, places: more })
      },
      wait() {
        Object.assign(held, { working: 0, waiting: 1 })
        add(own, { working: -1, waiting: 1, places: 0 })
        tellRefused()
      },
      free() {
        add(own, { working: -held.working, waiting: -held.waiting, places: -held.places })
        tellRefused()
      },
    }
  }

  return {
    get working() {
      return all.working
    },
    get waiting() {
      return all.waiting
    },
    share(onRoom) {
      const own = noLoad()
      return {
        take(mayHaveKept) {
          if (hasRoom(own, mayHaveKept ? 0 : limits.kept)) return take(own)
          refused.set(own, onRoom)
          return null
        },
      }
    },
  }
}
