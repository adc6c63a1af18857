"""The rights of visitors: every route and, for each of five visitors, what it answers. Nothing is
allowed that is not here.

alice owns the things the addresses name, bob is a member of her project, charlie is a stranger, ada
administers, and nobody is nobody (`example_objects.py`). No system answers: where an administrator
gets 503 or 409, the door was open and the story said no.
"""

from dataclasses import dataclass

VISITORS = ("owner", "member", "stranger", "administrator", "nobody")

TABLE = """
#      address                                                    owner  member stranger administrator nobody
# --- REST: for everybody -----------------------------------------------------------------------------------------------
GET    /api/v1/                                                    404    404    404      404           404
GET    /api/v1/*                                                   404    404    404      404           404
POST   /api/v1/*                                                   404    404    404      404           404
GET    /api/v1/docs                                                200    200    200      200           200
GET    /api/v1/openapi.json                                        200    200    200      200           200
POST   /api/v1/registrations                                       202    202    202      202           202
# --- REST: for administrators ------------------------------------------------------------------------------------------
GET    /api/v1/registrations                                       403    403    403      200           401
GET    /api/v1/registrations/{registration_id}                     403    403    403      200           401
POST   /api/v1/registrations/{registration_id}/approve             403    403    403      503           401
POST   /api/v1/registrations/{registration_id}/reject              403    403    403      200           401
POST   /api/v1/registrations/{registration_id}/confirmation        403    403    403      200           401
POST   /api/v1/registrations/{registration_id}/withdraw            403    403    403      409           401
POST   /api/v1/people/{username}/removal                           403    403    403      201           401
GET    /api/v1/people/{username}/suspension                        403    403    403      200           401
POST   /api/v1/people/{username}/suspend                           403    403    403      202           401
POST   /api/v1/people/{username}/resume                            403    403    403      409           401
PUT    /api/v1/people/{username}/end-date                          403    403    403      200           401
GET    /api/v1/people/{username}/permissions                       403    403    403      200           401
PUT    /api/v1/people/{username}/permissions                       403    403    403      200           401
GET    /api/v1/people/{username}/timeline                          403    403    403      200           401
GET    /api/v1/people/{username}/letters                           403    403    403      200           401
GET    /api/v1/people/{username}/tokens                            403    403    403      200           401
DELETE /api/v1/people/{username}/tokens                            403    403    403      204           401
GET    /api/v1/people/{username}/tokens/{token_id}                 403    403    403      200           401
DELETE /api/v1/people/{username}/tokens/{token_id}                 403    403    403      204           401
GET    /api/v1/people/{username}/service-keys                       403    403    403      200           401
POST   /api/v1/people/{username}/service-keys/{key_id}/renew       403    403    403      409           401
DELETE /api/v1/people/{username}/service-keys/{key_id}             403    403    403      409           401
GET    /api/v1/administrators                                      403    403    403      200           401
PUT    /api/v1/administrators/{username}                           403    403    403      200           401
DELETE /api/v1/administrators/{username}                           403    403    403      404           401
POST   /api/v1/administrators/{username}/confirm                   403    403    403      409           401
POST   /api/v1/strangers/relink-list                               403    403    403      200           401
GET    /api/v1/strangers                                           403    403    403      200           401
GET    /api/v1/strangers/{stranger_id}                             403    403    403      200           401
POST   /api/v1/strangers/{stranger_id}/relink                      403    403    403      409           401
POST   /api/v1/strangers/{stranger_id}/adopt                       403    403    403      200           401
POST   /api/v1/strangers/{stranger_id}/refuse                      403    403    403      200           401
GET    /api/v1/audit                                               403    403    403      200           401
GET    /api/v1/audit/export                                        403    403    403      200           401
GET    /api/v1/audit/verify                                        403    403    403      200           401
GET    /api/v1/tombstones                                          403    403    403      200           401
POST   /api/v1/tombstones/{username}/release                       403    403    403      200           401
POST   /api/v1/plans/{plan_id}/approve                             403    403    403      202           401
POST   /api/v1/plans/{plan_id}/left-account                        403    403    403      409           401
POST   /api/v1/plans/{plan_id}/steps/{n}/retry                     403    403    403      200           401
POST   /api/v1/plans/{plan_id}/steps/{n}/skip                      403    403    403      200           401
POST   /api/v1/plans/{plan_id}/steps/{n}/by-hand                   403    403    403      200           401
POST   /api/v1/reconcile                                           403    403    403      202           401
GET    /api/v1/reconcile                                           403    403    403      200           401
GET    /api/v1/reconcile/{run_id}                                  403    403    403      200           401
GET    /api/v1/reconcile/{run_id}/items                            403    403    403      200           401
GET    /api/v1/reconcile/{run_id}/take-over                        403    403    403      200           401
POST   /api/v1/reconcile/{run_id}/take-over                        403    403    403      409           401
GET    /api/v1/take-overs                                          403    403    403      200           401
POST   /api/v1/take-overs/{take_over_id}/undo                      403    403    403      200           401
POST   /api/v1/reconcile/{run_id}/items/{n}/connect                403    403    403      200           401
POST   /api/v1/reconcile/{run_id}/items/{n}/disconnect             403    403    403      409           401
POST   /api/v1/reconcile/{run_id}/items/{n}/adopt                  403    403    403      409           401
POST   /api/v1/reconcile/{run_id}/items/{n}/remove                 403    403    403      202           401
POST   /api/v1/reconcile/{run_id}/items/{n}/shut                   403    403    403      409           401
POST   /api/v1/reconcile/{run_id}/items/{n}/take                   403    403    403      409           401
POST   /api/v1/reconcile/{run_id}/items/{n}/give_back              403    403    403      409           401
POST   /api/v1/reconcile/{run_id}/items/{n}/ignore                 403    403    403      200           401
GET    /api/v1/systems                                             403    403    403      200           401
GET    /api/v1/systems/{name}                                      403    403    403      200           401
GET    /api/v1/systems/{name}/health                               403    403    403      200           401
GET    /api/v1/hold                                                403    403    403      200           401
POST   /api/v1/hold                                                403    403    403      200           401
POST   /api/v1/hold/confirm                                        403    403    403      409           401
PATCH  /api/v1/systems/{name}                                      403    403    403      200           401
POST   /api/v1/systems/{name}/pause                                403    403    403      200           401
POST   /api/v1/systems/{name}/resume                               403    403    403      200           401
POST   /api/v1/systems/{name}/test                                 403    403    403      409           401
POST   /api/v1/systems/check-as-person                             403    403    403      409           401
POST   /api/v1/systems/{name}/check                                403    403    403      409           401
GET    /api/v1/webhooks                                            403    403    403      200           401
POST   /api/v1/webhooks                                            403    403    403      201           401
GET    /api/v1/webhooks/{webhook_id}                               403    403    403      200           401
PATCH  /api/v1/webhooks/{webhook_id}                               403    403    403      200           401
DELETE /api/v1/webhooks/{webhook_id}                               403    403    403      204           401
POST   /api/v1/webhooks/{webhook_id}/rotate                        403    403    403      200           401
POST   /api/v1/webhooks/{webhook_id}/test                          403    403    403      202           401
GET    /api/v1/webhooks/{webhook_id}/deliveries                    403    403    403      200           401
POST   /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver 403 403 403   202           401
GET    /api/v1/stack-templates                                     403    403    403      200           401
POST   /api/v1/stack-templates                                     403    403    403      201           401
GET    /api/v1/stack-templates/{name}                              403    403    403      200           401
PUT    /api/v1/stack-templates/{name}                              403    403    403      200           401
DELETE /api/v1/stack-templates/{name}                              403    403    403      204           401
POST   /api/v1/stack-templates/{name}/offer                        403    403    403      200           401
POST   /api/v1/stack-templates/{name}/withdraw                     403    403    403      200           401
GET    /api/v1/letters                                             403    403    403      200           401
GET    /api/v1/letters/outbox                                      403    403    403      200           401
GET    /api/v1/letters/{name}                                      403    403    403      404           401
# --- REST: oneself -----------------------------------------------------------------------------------------------------
GET    /api/v1/people                                              200    200    200      200           401
GET    /api/v1/people/{username}                                   200    404    404      200           401
GET    /api/v1/me                                                  200    200    200      200           401
GET    /api/v1/inbox                                               200    200    200      200           401
GET    /api/v1/inbox/counts                                        200    200    200      200           401
GET    /api/v1/inbox/put-off                                       200    200    200      200           401
POST   /api/v1/inbox/{key}/snooze                                  200    404    404      404           401
DELETE /api/v1/inbox/{key}/snooze                                  204    404    404      404           401
GET    /api/v1/me/drive                                            200    200    200      200           401
POST   /api/v1/me/drive                                            409    409    409      409           401
DELETE /api/v1/me/drive                                            409    409    409      409           401
POST   /api/v1/me/drive/connect                                    409    409    409      409           401
POST   /api/v1/me/drive/poll                                       409    409    409      409           401
GET    /api/v1/me/notices                                          200    200    200      200           401
PUT    /api/v1/me/notices                                          200    200    200      200           401
GET    /api/v1/me/tokens                                           200    200    200      200           401
POST   /api/v1/me/tokens                                           201    201    201      201           401
DELETE /api/v1/me/tokens/{token_id}                                204    404    404      404           401
# --- REST: what people own and share -----------------------------------------------------------------------------------
GET    /api/v1/plans                                               200    200    200      200           401
GET    /api/v1/plans/{plan_id}                                     200    404    404      200           401
GET    /api/v1/projects                                            200    200    200      200           401
POST   /api/v1/projects                                            201    201    201      201           401
GET    /api/v1/projects/{project_id}                               200    200    404      200           401
PATCH  /api/v1/projects/{project_id}                               200    403    404      200           401
DELETE /api/v1/projects/{project_id}                               202    403    404      202           401
GET    /api/v1/projects/{project_id}/members                       200    200    404      200           401
GET    /api/v1/projects/{project_id}/members/{username}            200    200    404      200           401
PUT    /api/v1/projects/{project_id}/members/{username}            200    403    404      200           401
PATCH  /api/v1/projects/{project_id}/members/{username}            200    403    404      200           401
DELETE /api/v1/projects/{project_id}/members/{username}            204    204    404      204           401
GET    /api/v1/projects/{project_id}/invitations                   200    403    404      200           401
POST   /api/v1/projects/{project_id}/invitations                   202    403    404      202           401
DELETE /api/v1/projects/{project_id}/invitations/{invitation_id}   204    403    404      204           401
GET    /api/v1/me/invitations                                      200    200    200      200           401
POST   /api/v1/me/invitations/{invitation_id}/accept               404    404    204      404           401
POST   /api/v1/me/invitations/{invitation_id}/decline              404    404    204      404           401
GET    /api/v1/projects/{project_id}/membership-requests           200    403    404      200           401
POST   /api/v1/projects/{project_id}/membership-requests           409    409    201      201           401
POST   /api/v1/projects/{project_id}/membership-requests/{request_id}/approve  200 403 404 200          401
POST   /api/v1/projects/{project_id}/membership-requests/{request_id}/reject   200 403 404 200          401
GET    /api/v1/components                                          200    200    200      200           401
POST   /api/v1/components                                          202    202    202      202           401
GET    /api/v1/components/{component_id}                           200    200    404      200           401
PATCH  /api/v1/components/{component_id}                           200    403    404      200           401
DELETE /api/v1/components/{component_id}                           202    403    404      202           401
POST   /api/v1/components/{component_id}/test                      200    200    404      200           401
GET    /api/v1/components/{component_id}/public-read               409    403    404      409           401
POST   /api/v1/components/{component_id}/retry                     202    403    404      202           401
POST   /api/v1/components/{component_id}/snapshots                 202    403    404      202           401
GET    /api/v1/components/{component_id}/snapshot-schedule         200    403    404      200           401
PUT    /api/v1/components/{component_id}/snapshot-schedule         200    403    404      200           401
DELETE /api/v1/components/{component_id}/snapshot-schedule         204    403    404      204           401
GET    /api/v1/stacks                                              200    200    200      200           401
POST   /api/v1/stacks                                              409    409    409      409           401
GET    /api/v1/stacks/{stack_id}                                   200    200    404      200           401
PATCH  /api/v1/stacks/{stack_id}                                   200    403    404      200           401
DELETE /api/v1/stacks/{stack_id}                                   202    403    404      202           401
POST   /api/v1/stacks/{stack_id}/retry                             409    403    404      409           401
POST   /api/v1/stacks/{stack_id}/snapshots                         202    403    404      202           401
GET    /api/v1/stacks/{stack_id}/snapshot-schedule                 200    403    404      200           401
PUT    /api/v1/stacks/{stack_id}/snapshot-schedule                 200    403    404      200           401
DELETE /api/v1/stacks/{stack_id}/snapshot-schedule                 204    403    404      204           401
GET    /api/v1/snapshots                                           200    200    200      200           401
POST   /api/v1/snapshots                                           409    409    409      409           401
GET    /api/v1/snapshots/{snapshot_id}                             200    404    404      200           401
PATCH  /api/v1/snapshots/{snapshot_id}                             200    404    404      200           401
DELETE /api/v1/snapshots/{snapshot_id}                             202    404    404      202           401
POST   /api/v1/snapshots/{snapshot_id}/restore                     202    404    404      202           401
POST   /api/v1/snapshots/{snapshot_id}/verify                      200    404    404      200           401
GET    /api/v1/snapshots/{snapshot_id}/content                     200    404    404      403           401
GET    /api/v1/service-keys                                        200    200    200      200           401
POST   /api/v1/service-keys                                        202    403    422      202           401
GET    /api/v1/service-keys/{key_id}                               200    404    404      404           401
PATCH  /api/v1/service-keys/{key_id}                               200    404    404      404           401
DELETE /api/v1/service-keys/{key_id}                               409    404    404      404           401
POST   /api/v1/service-keys/{key_id}/renew                         409    404    404      404           401
GET    /api/v1/service-keys/{key_id}/reveal                        200    404    404      404           401
# --- Pages: for everybody (nobody configured an identity provider here, so nobody can sign in) ---------------------------
GET    /                                                           200    200    200      200           200
POST   /language                                                   302    302    302      302           302
GET    /register                                                   200    200    200      200           200
POST   /register                                                   422    422    422      422           422
GET    /register/received                                          200    200    200      200           200
GET    /register/confirm                                           200    200    200      200           200
POST   /register/confirm                                           410    410    410      410           410
POST   /register/strength                                          200    200    200      200           200
GET    /help                                                       200    200    200      200           200
GET    /health/live                                                200    200    200      200           200
GET    /health/ready                                               200    200    200      200           200
GET    /sign-in                                                    302    302    302      302           503
POST   /sign-out                                                   302    302    302      302           302
GET    /sign-out                                                   405    405    405      405           405
GET    /emergency/                                                 404    404    404      404           404
POST   /emergency/                                                 404    404    404      404           404
GET    /accounts/oidc/{provider_id}/login/callback/                503    503    503      503           503
POST   /accounts/oidc/identity_provider/backchannel-logout         400    400    400      400           400
GET    /accounts/inactive                                          403    403    403      403           403
GET    /accounts/closed                                            403    403    403      403           403
# --- Pages: for people -------------------------------------------------------------------------------------------------
GET    /settings                                                   200    200    200      200           302
POST   /settings                                                   422    422    422      422           302
POST   /settings/notices                                           422    422    422      422           302
GET    /inbox                                                      200    200    200      200           302
POST   /inbox/{key}/snooze                                         302    404    404      404           302
POST   /inbox/{key}/unsnooze                                       302    404    404      404           302
GET    /start                                                      200    200    200      200           302
GET    /components                                                 200    200    200      200           302
GET    /components/new                                             200    200    200      200           302
POST   /components/new                                             302    302    302      302           302
GET    /components/from-file                                       200    200    200      200           302
POST   /components/from-file                                       422    422    422      422           302
GET    /components/{component_id}                                  200    200    404      200           302
GET    /components/{component_id}/progress                         200    200    200      200           302
POST   /components/{component_id}/test                             200    200    404      200           302
GET    /components/{component_id}/public                           409    403    404      409           302
POST   /components/{component_id}/public                           409    403    404      409           302
POST   /components/{component_id}/retry                            302    403    404      302           302
POST   /components/{component_id}/delete                           422    403    404      422           302
POST   /components/{component_id}/snapshots                        302    403    404      302           302
POST   /components/{component_id}/snapshot-schedule                302    403    404      302           302
POST   /stacks/{stack_id}/snapshots                                302    403    404      302           302
POST   /stacks/{stack_id}/snapshot-schedule                        302    403    404      302           302
GET    /snapshots                                                  200    200    200      200           302
GET    /snapshots/{snapshot_id}                                    200    404    404      200           302
GET    /snapshots/{snapshot_id}/progress                           200    200    200      200           302
GET    /snapshots/{snapshot_id}/content                            200    404    404      403           302
POST   /snapshots/{snapshot_id}/restore                            302    404    404      302           302
POST   /snapshots/{snapshot_id}/restore-in-place                   422    404    404      422           302
POST   /snapshots/{snapshot_id}/verify                             302    404    404      302           302
POST   /snapshots/{snapshot_id}/delete                             422    404    404      422           302
GET    /stacks                                                     200    200    200      200           302
GET    /stacks/new                                                 200    200    200      200           302
POST   /stacks/new                                                 200    200    200      200           302
GET    /stacks/{stack_id}                                          200    200    404      200           302
GET    /stacks/{stack_id}/progress                                 200    200    200      200           302
POST   /stacks/{stack_id}/retry                                    302    403    404      302           302
POST   /stacks/{stack_id}/delete                                   422    403    404      422           302
GET    /service-keys                                               200    200    200      200           302
GET    /service-keys/progress                                      200    200    200      200           302
POST   /service-keys                                               422    422    422      422           302
POST   /service-keys/{key_id}/renew                                409    404    404      404           302
POST   /service-keys/{key_id}/delete                               409    404    404      404           302
POST   /service-keys/{key_id}/reveal                               200    404    404      404           302
GET    /tokens                                                     200    200    200      200           302
POST   /tokens                                                     422    422    422      422           302
POST   /tokens/{token_id}/end                                      302    404    404      404           302
GET    /projects                                                   200    200    200      200           302
GET    /projects/new                                               200    200    200      200           302
POST   /projects/new                                               302    302    302      302           302
POST   /projects/join                                              302    302    302      302           302
GET    /projects/{project_id}                                      200    200    404      200           302
POST   /projects/{project_id}/members                              302    403    404      302           302
POST   /projects/{project_id}/members/{username}/role              302    403    404      302           302
POST   /projects/{project_id}/members/{username}/end               302    302    404      302           302
POST   /projects/{project_id}/invitations/{invitation_id}/withdraw  302   403    404      302           302
POST   /invitations/{invitation_id}/accept                         404    404    302      404           302
POST   /invitations/{invitation_id}/decline                        404    404    302      404           302
POST   /projects/{project_id}/requests/{request_id}/approve        302    403    404      302           302
POST   /projects/{project_id}/requests/{request_id}/reject         302    403    404      302           302
POST   /projects/{project_id}/delete                               422    403    404      422           302
GET    /user/{person_id}/connected-accounts                        200    404    404      200           302
GET    /drive                                                      200    200    200      200           302
POST   /drive/connect                                              409    409    409      409           302
POST   /drive/browser                                              409    409    409      409           302
POST   /drive/poll                                                 409    409    409      409           302
POST   /drive/disconnect                                           409    409    409      409           302
# --- Pages: for administrators -----------------------------------------------------------------------------------------
GET    /manage                                                     403    403    403      200           302
GET    /manage/registrations                                       403    403    403      200           302
POST   /manage/registrations/several                               403    403    403      302           302
POST   /manage/registrations/{registration_id}/approve             403    403    403      302           302
POST   /manage/registrations/{registration_id}/reject              403    403    403      302           302
POST   /manage/registrations/{registration_id}/confirmation        403    403    403      302           302
POST   /manage/registrations/{registration_id}/withdraw            403    403    403      302           302
GET    /manage/templates                                           403    403    403      200           302
GET    /manage/templates/new                                       403    403    403      200           302
POST   /manage/templates/new                                       403    403    403      422           302
GET    /manage/templates/{name}                                    403    403    403      200           302
POST   /manage/templates/{name}                                    403    403    403      422           302
POST   /manage/templates/{name}/offer                              403    403    403      302           302
POST   /manage/templates/{name}/withdraw                           403    403    403      302           302
POST   /manage/templates/{name}/delete                             403    403    403      302           302
GET    /manage/people                                              403    403    403      200           302
GET    /manage/people.csv                                          403    403    403      200           302
POST   /manage/people-chosen                                       403    403    403      302           302
GET    /manage/people-chosen/{order}                               403    403    403      200           302
GET    /manage/people/{username}                                   403    403    403      200           302
POST   /manage/people/{username}/removal                           403    403    403      302           302
GET    /manage/people/{username}/suspension                        403    403    403      200           302
POST   /manage/people/{username}/suspend                           403    403    403      302           302
POST   /manage/people/{username}/resume                            403    403    403      409           302
GET    /manage/people/{username}/permissions                       403    403    403      200           302
POST   /manage/people/{username}/permissions                       403    403    403      302           302
GET    /manage/people/{username}/letters                           403    403    403      200           302
GET    /manage/people/{username}/tokens                            403    403    403      200           302
POST   /manage/people/{username}/tokens/{token_id}/end             403    403    403      302           302
GET    /manage/people/{username}/service-keys                      403    403    403      200           302
POST   /manage/people/{username}/service-keys/{key_id}/renew       403    403    403      409           302
POST   /manage/people/{username}/service-keys/{key_id}/delete      403    403    403      409           302
POST   /manage/people/{username}/end-date                          403    403    403      302           302
POST   /manage/people/{username}/role                              403    403    403      302           302
GET    /manage/strangers                                           403    403    403      200           302
GET    /manage/strangers/list                                      403    403    403      200           302
POST   /manage/strangers/list                                      403    403    403      422           302
POST   /manage/strangers/{stranger_id}/relink                      403    403    403      302           302
POST   /manage/strangers/{stranger_id}/adopt                       403    403    403      302           302
POST   /manage/strangers/{stranger_id}/refuse                      403    403    403      302           302
GET    /manage/audit                                               403    403    403      200           302
GET    /manage/audit.csv                                           403    403    403      200           302
GET    /manage/tombstones                                          403    403    403      200           302
POST   /manage/tombstones/{username}/release                       403    403    403      302           302
GET    /manage/administrators                                      403    403    403      200           302
POST   /manage/administrators/add                                  403    403    403      302           302
POST   /manage/administrators/{username}/confirm                   403    403    403      409           302
POST   /manage/administrators/{username}/remove                    403    403    403      302           302
GET    /manage/letters                                             403    403    403      200           302
GET    /manage/letters/{letter}                                    403    403    403      200           302
GET    /manage/letters/{letter}/html                               403    403    403      200           302
GET    /manage/webhooks                                            403    403    403      200           302
POST   /manage/webhooks                                            403    403    403      422           302
GET    /manage/webhooks/{webhook_id}                               403    403    403      200           302
POST   /manage/webhooks/{webhook_id}                               403    403    403      422           302
POST   /manage/webhooks/{webhook_id}/switch                        403    403    403      302           302
POST   /manage/webhooks/{webhook_id}/delete                        403    403    403      302           302
POST   /manage/webhooks/{webhook_id}/rotate                        403    403    403      200           302
POST   /manage/webhooks/{webhook_id}/reveal                        403    403    403      200           302
POST   /manage/webhooks/{webhook_id}/test                          403    403    403      302           302
POST   /manage/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver 403 403 403   302           302
GET    /manage/plans                                               403    403    403      200           302
GET    /manage/plans/{plan_id}                                     403    403    403      200           302
GET    /manage/plans/{plan_id}/progress                            403    403    403      200           302
POST   /manage/plans/{plan_id}/approve                             403    403    403      302           302
POST   /manage/plans/{plan_id}/left-account                        403    403    403      409           302
POST   /manage/plans/{plan_id}/steps/{n}/retry                     403    403    403      302           302
POST   /manage/plans/{plan_id}/steps/{n}/skip                      403    403    403      302           302
POST   /manage/plans/{plan_id}/steps/{n}/by-hand                   403    403    403      302           302
GET    /manage/take-over                                           403    403    403      200           302
POST   /manage/take-over/confirm                                   403    403    403      302           302
POST   /manage/take-over/{take_over_id}/undo                       403    403    403      302           302
GET    /manage/reconcile                                           403    403    403      200           302
POST   /manage/reconcile/begin                                     403    403    403      302           302
POST   /manage/reconcile/several                                   403    403    403      302           302
POST   /manage/reconcile/items/{n}/adopt                           403    403    403      302           302
POST   /manage/reconcile/items/{n}/connect                         403    403    403      302           302
POST   /manage/reconcile/items/{n}/disconnect                      403    403    403      302           302
POST   /manage/reconcile/items/{n}/ignore                          403    403    403      302           302
POST   /manage/reconcile/items/{n}/plan/{what}                     403    403    403      302           302
POST   /manage/reconcile/plans/{plan_id}/approve                   403    403    403      404           302
POST   /manage/hold/confirm                                        403    403    403      302           302
GET    /manage/systems                                             403    403    403      200           302
POST   /manage/systems/{name}/settings                             403    403    403      422           302
POST   /manage/systems/{name}/test                                 403    403    403      422           302
POST   /manage/systems/check-as-person                             403    403    403      302           302
POST   /manage/systems/{name}/check                                403    403    403      302           302
POST   /manage/systems/{name}/pause                                403    403    403      302           302
POST   /manage/systems/{name}/resume                               403    403    403      302           302
"""


@dataclass(frozen=True)
class Row:
    """One route and what each visitor is answered."""

    method: str
    address: str
    answers: dict[str, int]

    def __str__(self) -> str:
        return f"{self.method} {self.address}"


def rows() -> list[Row]:
    """The table, read."""
    found = []
    for line in TABLE.splitlines():
        if line and not line.startswith("#"):
            method, address, *statuses = line.split()
            answers = dict(zip(VISITORS, map(int, statuses), strict=True))
            found.append(Row(method, address, answers))
    return found
