import { type FollowDeps, type Follower, type Following, startFollowing } from './jobs/follow.ts'
import { auditSealing } from './resources/audit-log/sealing.ts'

/** All who go through the journal in the background. */
const followers: Follower[] = [auditSealing]

export function startFollowers(deps: FollowDeps): Following {
  const followings = followers.map((follower) => startFollowing(deps, follower))
  return {
    async stop() {
      await Promise.all(followings.map((following) => following.stop()))
    },
  }
}
