export { count, number, size } from "#inspector/text";
