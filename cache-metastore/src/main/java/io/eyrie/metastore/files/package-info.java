/**
 * Lists of the files of directories that the operator says are sealed, kept under the version of the partition or table that the directory belongs to. Called
 * by the plugin's directory lister. Invariant: a listing that began before an invalidation, or of an open directory, is never kept.
 */
@NullMarked
package io.eyrie.metastore.files;

import org.jspecify.annotations.NullMarked;
