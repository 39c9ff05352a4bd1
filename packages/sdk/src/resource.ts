import type { Client } from './client.ts'

/** A group of operations, such as `backline.conversations`. */
export class Resource {
  protected readonly client: Client

  constructor(client: Client) {
    this.client = client
  }
}
