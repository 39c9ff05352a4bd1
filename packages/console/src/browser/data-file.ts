import { ConnectionError } from '@backline/sdk'

/** Reads a JSON file of the page. @param path relative to the page @throws Error if the server does not have it */
export async function readDataFile<Data>(path: string): Promise<Data> {
  const response = await fetch(path).catch((cause) => {
    throw new ConnectionError('The server cannot be reached.', { cause })
  })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json() as Promise<Data>
}
