export { type S3Credentials, type S3StoreOptions, s3Store } from "./s3/s3-store.js";
