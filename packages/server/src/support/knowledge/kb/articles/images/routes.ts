import { content } from '../../../../../platform/resource/streams.ts'
import { contentOf } from '../../../../files/content.ts'
import { fileTable } from '../../../../files/queries.ts'
import { findPublicImage } from './queries.ts'

export const imageRoutes = [
  content({
    path: '/kb/articles/{id}/files/{file_id}',
    name: 'getKbArticleFile',
    summary: 'Get an image of a published article',
    description:
      'Returns the bytes of an image that the published version of the article shows, or redirects to them; 404 for anything else. `body_html` refers to this route.',
    credential: 'none',
    params: { id: 'kba', file_id: 'file' },
    environmentOf: (db, { id, file_id }) => findPublicImage(db, id!, file_id!),
    handle: async (ctx, { params }) => {
      const file = await fileTable.find(ctx.db, ctx.env.tenantId, params.file_id!)
      return file && contentOf(ctx, file)
    },
  }),
]
