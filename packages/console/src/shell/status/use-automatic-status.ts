import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followInput, lastInputMs } from '../../browser/last-input.ts'
import { readStored, writeStored } from '../../browser/stored.ts'
import { storedChoice } from '../../browser/stored-choice.ts'
import { idleReason } from '../../data/automatic-reasons.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { isStored, useIsLeading, useIsLive, useLiveEvents } from '../../data/live.tsx'
import { useOwnStatus } from '../../data/own-status.ts'

/** Minutes without input after which an operator who is online becomes away. */
const idleMinutes = ['15', '5', '30', 'never'] as const
export const useIdleMinutes = storedChoice<(typeof idleMinutes)[number]>('backline.away_after', idleMinutes)

const minuteMs = 60_000
const beatEveryMs = 2 * minuteMs
/** The server sets an operator offline without a heartbeat for so long. */
const ttlSeconds = 300
/** A page without input for so long keeps neither its operator from being offline nor the session from ending. */
const mostIdleMs = 8 * 60 * minuteMs

/** Whether there was no input in any tab for so long. */
function useIsIdle(afterMs: number): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const check = () => {
      clearTimeout(timer)
      const leftMs = lastInputMs() + afterMs - Date.now()
      setIdle(leftMs <= 0)
      if (leftMs > 0) timer = setTimeout(check, leftMs)
    }
    const stop = followInput(check)
    check()
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [afterMs])
  return isIdle
}

/**
 * Keeps the status of the operator who has signed in as it is: one of the tabs sends heartbeats, so that the operator
 * is offline some minutes after the last tab is closed, and online again when one is opened. Without input, an operator
 * who is online becomes away, and is online again with the first input. Another status was set by hand, and stays.
 */
export function useAutomaticStatus(): void {
  const { name, backline, operator } = useEnvironment()
  const cache = useQueryClient()
  const { status, queryKey } = useOwnStatus()
  const isLeading = useIsLeading()
  const isLive = useIsLive()
  const [minutes] = useIdleMinutes()
  const isIdle = useIsIdle((minutes === 'never' ? 15 : Number(minutes)) * minuteMs)
  const isKnown = status !== undefined
  const isOffline = status?.status === 'offline'
  const isAbsent = isIdle && minutes !== 'never'
  const isAwayByItself = status?.status === 'away' && status.reason === idleReason
  const key = `backline.at_work.${name}.${operator.id}`

  const renew = () => void cache.invalidateQueries({ queryKey })
  useLiveEvents((event) => {
    if (isStored(event) && event.type.startsWith('operator.') && event.resource.id === operator.id) renew()
  })
  const change = (next: 'away' | 'online') => {
    const { etag, until, then } = status!
    const body = { status: next, reason: next === 'away' ? idleReason : null, ...(until && { until, then }) }
    // Somebody who has set it meanwhile has the last word.
    backline.operators.status.set(operator.id, body, { ifMatch: etag ?? undefined }).then(renew, renew)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: Once when the input ends: who is set online then stays so.
  useEffect(() => {
    if (isLeading && isAbsent && status?.status === 'online') change('away')
  }, [isLeading, isIdle, isKnown])
  // biome-ignore lint/correctness/useExhaustiveDependencies: Once while it is away, and for each connection.
  useEffect(() => {
    if (isLeading && !isIdle && isAwayByItself) change('online')
  }, [isLeading, isLive, isIdle, isAwayByItself])

  const shown = status?.status
  // An operator who is online although nobody is here has input in another browser, which sends heartbeats itself.
  const isPresent = isKnown && !isOffline && !(isAbsent && shown === 'online')
  // biome-ignore lint/correctness/useExhaustiveDependencies: The key of the query is made anew for each render.
  useEffect(() => {
    if (!isLeading || !isPresent) return
    const beat = () => {
      if (Date.now() - lastInputMs() >= mostIdleMs) return
      writeStored(key, 'true')
      backline.operators.heartbeat(operator.id, { ttl_seconds: ttlSeconds }).then(
        (now) => now.status !== shown && renew(),
        () => undefined,
      )
    }
    beat()
    const timer = setInterval(beat, beatEveryMs)
    return () => clearInterval(timer)
  }, [isLeading, isPresent, shown, key, backline, operator.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: Once while it is offline, and for each connection.
  useEffect(() => {
    if (!isLeading || !isOffline || isIdle || !readStored(key)) return
    const beat = backline.operators.heartbeat(operator.id, { ttl_seconds: ttlSeconds })
    beat.then(
      (now) => {
        if (now.status === 'offline') writeStored(key, null) // set by hand
        renew()
      },
      () => undefined,
    )
  }, [isLeading, isLive, isOffline, isIdle])
}
