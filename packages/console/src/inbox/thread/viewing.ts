import type { Attachment, Message } from '@backline/sdk'
import { createContext } from 'react'

/** An image that the viewer can show. */
export type Picture = Pick<Attachment, 'file_id' | 'filename'>

/** Shows an image of the thread large. */
export const Viewing = createContext<(picture: Picture) => void>(() => undefined)

export const isPicture = ({ content_type, status }: Attachment): boolean =>
  status === 'ready' && /^image\/(png|jpeg|gif|webp|avif)$/.test(content_type)

/** The images of messages, the oldest first. */
export const picturesOf = (newestFirst: Message[]): Picture[] =>
  newestFirst.toReversed().flatMap(({ attachments }) => attachments.filter(isPicture))
