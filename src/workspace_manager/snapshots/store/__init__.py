"""Where the content of snapshots lies: a folder, or a bucket that speaks S3.

Content is compressed, cut into objects of equal size, and each object encrypted by itself and put
whole. So everything that was begun can be listed and deleted, and a range is read from the object
that it begins in. A snapshot exists when its manifest does, which is written last.

See docs/explanation/snapshots.md.
"""
