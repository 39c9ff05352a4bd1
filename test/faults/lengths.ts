/** True in `npm run test:faults`, the full length; `npm test` runs a short part of each subject. */
export const isFull = process.env.BACKLINE_FAULTS === 'full'
