import { defineCommand } from './command.ts'
export const command = defineCommand({ options: {}, run: async () => ({ json: null, text: '' }) })
