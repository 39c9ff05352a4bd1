import { ApiError, type Backline, type CreateOperatorBody, type Operator } from '@backline/sdk'
import type { Resource, ResourceApi } from '../../resource/descriptor.ts'

export type OperatorDraft = {
  name: string
  email: string
  role: Operator['role']
  capacity: number | null
  timezone: string | null
  department_ids: string[]
}

/** Whether the server refuses a change because the environment would have no administrator. */
export const isLastAdmin = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'invalid_transition' && error.params.from === 'last_admin'

type Body = Partial<OperatorDraft>

/** Writes operators together with their departments, which the API changes by requests of their own. */
export function operatorsApi(backline: Backline): ResourceApi<Operator & Resource> {
  async function join(operator: Operator, wanted: string[] | undefined): Promise<Operator> {
    if (!wanted) return operator
    const has = operator.department_ids
    for (const id of wanted.filter((each) => !has.includes(each)))
      await backline.departments.operators.add(id, operator.id)
    for (const id of has.filter((each) => !wanted.includes(each)))
      await backline.departments.operators.remove(id, operator.id)
    return backline.operators.retrieve(operator.id)
  }
  return {
    list: (query) => backline.operators.list(query),
    retrieve: (id) => backline.operators.retrieve(id),
    async create({ department_ids, ...body }: Body) {
      return join(await backline.operators.create(body as CreateOperatorBody), department_ids)
    },
    async update(id, { department_ids, ...body }: Body, options) {
      const operator =
        Object.keys(body).length > 0
          ? await backline.operators.update(id, body, options)
          : await backline.operators.retrieve(id)
      return join(operator, department_ids)
    },
    delete: (id) => backline.operators.delete(id),
  }
}
