let audio: AudioContext | undefined

/** Two short notes. Browsers play none before the person has pressed something in the tab. */
export async function playTone(): Promise<void> {
  audio ??= new AudioContext()
  const askedMs = Date.now()
  await audio.resume()
  if (Date.now() - askedMs > 1_000) return // the browser has waited for a press
  for (const [i, frequency] of [660, 880].entries()) {
    const from = audio.currentTime + i * 0.14
    const [note, volume] = [new OscillatorNode(audio, { frequency }), new GainNode(audio, { gain: 0 })]
    volume.gain.setValueAtTime(0, from)
    volume.gain.linearRampToValueAtTime(0.15, from + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.3)
    note.connect(volume).connect(audio.destination)
    note.start(from)
    note.stop(from + 0.3)
  }
}
