"""The learner: Learner, the public class, and Engine, which holds what was learned."""
