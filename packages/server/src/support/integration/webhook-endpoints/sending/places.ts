/**
 * The attempts that a process has open at a time. An attempt works until it has taken `soonMs`. From then on it waits for
 * its receiver: it costs memory, some 100 kB with TLS, but no processor time.
 */
export const placeLimits = {
  /** Attempts that work. */
  working: 1_024,
  soonMs: 100,
  /** All places. An attempt takes one, and another one for each further `bytesPerPlace` of its body. */
  all: 2_048,
  bytesPerPlace: 32 * 1024,
  /** Of `all`, those for the only attempt of an endpoint that answered the one before it. */
  kept: 512,
}

export type Place = {
  /** A large body takes more than one place. */
  hold(bytes: number): void
  /** The attempt works no more; it waits. */
  wait(): void
  free(): void
}

/** The places of one environment. */
export type Share = {
  /** Null when the environment may have no more at the moment. `onRoom` is called when it is worth asking again. */
  take(mayHaveKept: boolean): Place | null
}

export type Attempts = { readonly working: number; readonly waiting: number }

export type Places = Attempts & { share(onRoom: () => void): Share }

type Load = { working: number; waiting: number; places: number }

const noLoad = (): Load => ({ working: 0, waiting: 0, places: 0 })

/**
 * Divides places among environments: each may have as many as are free. So one alone gets half of them, three get a
 * quarter each, and some stay free for an environment that has none yet. (These are the dynamic thresholds by which
 * switches share their buffers: Choudhury and Hahne, 1998.)
 */
export function openPlaces(limits = placeLimits): Places {
  const all = noLoad()
  /** Shares that were refused a place, each with its `onRoom`; the one that has waited longest comes first. */
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
