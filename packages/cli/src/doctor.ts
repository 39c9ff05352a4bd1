import type { Config } from '@backline/server/compose/config.ts'
import { defineCommand, type Input, type Output } from './command.ts'
import type { Check } from './doctor/check.ts'
import { checkCollectors } from './doctor/collector.ts'
import { checkEmbedded, checkExternal, type DatabaseReport, notMadeYet } from './doctor/database.ts'
import { checkFiles, checkScanner } from './doctor/files.ts'
import { checkConsole, checkDataDirectory, checkDisk, checkNode, checkSettings } from './doctor/machine.ts'
import { checkMailListener } from './doctor/mail.ts'
import { checkOidc } from './doctor/oidc.ts'
import { checkPort } from './doctor/port.ts'
import { checkSecretKey } from './doctor/secret-key.ts'
import { counted } from './text.ts'

/**
 * Checks everything that Backline needs, and suggests fixes. It changes nothing, but for a small object that it writes
 * to the store of files and deletes, and a directory that it creates and deletes beside one that the first start makes.
 * The exit code is 1 for a fault.
 */
async function doctor({ environment }: Input): Promise<Output> {
  const { config, check } = checkSettings(environment)
  const checks = [
    checkNode(),
    await checkConsole(),
    check,
    ...(config ? await checkSurroundings(config) : []),
  ]
  const faults = checks.filter(({ status }) => status === 'fault').length
  const verdict = faults > 0 ? `${counted(faults, 'problem')} found.` : 'No problems found.'
  return {
    json: { ok: faults === 0, checks },
    text: [...checks.map(paragraph), '', verdict].join('\n'),
    exitCode: faults > 0 ? 1 : 0,
  }
}

export const command = defineCommand({ options: {}, run: doctor })

async function checkSurroundings(config: Config): Promise<Check[]> {
  const { checks, keyChecks, storeMarker, serverPid } = config.databaseUrl
    ? await checkExternal(config.databaseUrl)
    : await checkDirectory(config)
  const scanner = await checkScanner(config)
  const provider = await checkOidc(config)
  const collectors = await checkCollectors(config)
  const port = await checkPort(config, serverPid)
  const mail = await checkMailListener(config, port.facts.is_backline === true)
  return [
    ...checks,
    await checkSecretKey(config, keyChecks),
    await checkFiles(config, storeMarker),
    ...(scanner ? [scanner] : []),
    ...(provider ? [provider] : []),
    ...collectors,
    port,
    ...(mail ? [mail] : []),
  ]
}

async function checkDirectory(config: Config): Promise<DatabaseReport> {
  const { hasCluster, check } = await checkDataDirectory(config.dataDir)
  if (check.status === 'fault') return { ...notMadeYet, checks: [check] }
  const before = [check, await checkDisk(config.dataDir)]
  const report = hasCluster ? await checkEmbedded(config) : notMadeYet
  return { ...report, checks: [...before, ...report.checks] }
}

const statusWidth = 'warning'.length
const nameWidth = 'embedded server'.length

function paragraph({ status, name, detail, advice }: Check): string {
  const indent = ' '.repeat(statusWidth + nameWidth + 4)
  const [first, ...more] = detail.split('\n')
  const lines = [`${status.padEnd(statusWidth)}  ${name.padEnd(nameWidth)}  ${first}`]
  lines.push(...more.map((line) => indent + line))
  if (advice !== null) lines.push(...advice.split('\n').map((line) => `${indent}→ ${line}`))
  return lines.join('\n')
}
