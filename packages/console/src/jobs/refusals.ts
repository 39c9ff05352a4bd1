import type { JobResult } from '@backline/sdk'
import type { FieldFault } from '../texts/faults.ts'
import { faultText, knownProblem, nameOfField } from '../texts/faults.ts'

type Refusal = JobResult['errors'][number]

const valuesPath = '/custom_fields/'

/** Why a job has left an object out, as a sentence in the language of the page. */
export function refusalText({ pointer, code, detail }: Refusal, nameOf: (field: string) => string): string {
  if (pointer === null) return knownProblem(code, detail)
  const said = faultText({ code: code as FieldFault['code'], detail })
  if (pointer === '' || pointer === '/conversation_id') return sentence(said)
  const field = pointer.startsWith(valuesPath)
    ? nameOf(pointer.slice(valuesPath.length))
    : nameOfField(pointer)
  return `${field} ${said}`
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
