import { isImage } from '../../../../../platform/files/media-types.ts'
import { type FieldError, invalidBody } from '../../../../../platform/kernel/errors.ts'
import { filesIn } from '../../../../../platform/kernel/html-images.ts'
import { typeId, uuidOf } from '../../../../../platform/kernel/ids.ts'
import { on } from '../../../../../platform/resource/resource.ts'
import type { Change } from '../../../../../platform/unit-of-work/change.ts'
import { files } from '../../../../files/entity.ts'
import type { FileRow } from '../../../../files/queries.ts'
import { release, useInArticle } from '../../../../files/using.ts'
import { articles } from '../entity.ts'
import type { Article } from '../queries.ts'
import { deleteArticleFiles, filesOfArticle, insertArticleFiles } from './queries.ts'

/** The maximum number of files that an article uses, in its versions and all its drafts. */
const maxFiles = 500

/**
 * Lets an article use the files that it shows as images. It uses them until it is deleted, because its versions can be
 * restored.
 * @param html the stored HTML of the body
 * @param pointer the field of the request
 * @throws ApiError `validation_failed`
 */
export async function useImages(
  change: Change,
  articleId: string,
  html: string,
  pointer: string,
): Promise<void> {
  const shown = filesIn(html).map((id) => uuidOf('file', id)!)
  if (shown.length === 0) return
  const used = new Set(await filesOfArticle(change.db, change.tenantId, articleId))
  const added = shown.filter((id) => !used.has(id))
  if (used.size + added.length > maxFiles) {
    const detail = `must not need more than ${maxFiles} files as images, with those of versions and earlier drafts`
    throw invalidBody({ pointer, code: 'too_long', detail })
  }
  const found = await Promise.all(added.map((id) => change.rows.find(files, id)))
  const faults = added.flatMap((id, i) => faultIn(id, found[i]!, pointer) ?? [])
  if (faults.length > 0) throw invalidBody(...faults)
  for (const file of found) {
    useInArticle(change, file!)
    change.effects.writeBatched(insertArticleFiles, { article_id: articleId, file_id: file!.id })
  }
}

/** The file of a conversation is as unknown as one that does not exist: what readers see must not reveal it. */
function faultIn(id: string, file: FileRow | null, pointer: string): FieldError | null {
  const name = typeId('file', id)
  if (file === null || file.conversation_id !== null)
    return { pointer, code: 'not_found', detail: `must not show ${name}, which is not a file for articles` }
  if (!isImage(file.content_type))
    return { pointer, code: 'not_allowed', detail: `must not show ${name}, which is not a raster image` }
  if (file.status !== 'ready')
    return { pointer, code: 'not_allowed', detail: `must not show ${name}, which is not ready` }
  return null
}

/** A deleted article uses no files. */
async function releaseImages(change: Change, before: Article | null, after: Article | null): Promise<void> {
  if (!before || after) return
  const used = await filesOfArticle(change.db, change.tenantId, before.id)
  if (used.length === 0) return
  change.effects.write(deleteArticleFiles(change.tenantId, before.id))
  for (const file of await Promise.all(used.map((id) => change.rows.find(files, id))))
    if (file) release(change, file)
}

export const imageReaction = on(articles, releaseImages)
