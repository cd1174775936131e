"""The learner: the public class, and the engine that does its work."""
