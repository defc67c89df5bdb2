//! Plans rendered to text through templates. Knows nothing of the file system.
