/** The reason of a status that the console sets because there was no input. */
export const idleReason = 'No input'
