import { useEffect, useState } from 'react'

const pauseMs = 300

/** The value once it has not changed for a moment: the server is not asked with each letter that a person types. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
