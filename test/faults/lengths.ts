/** `npm run test:faults` asks for the whole of it; within `npm test` each subject is touched on. */
export const isFull = process.env.BACKLINE_FAULTS === 'full'
